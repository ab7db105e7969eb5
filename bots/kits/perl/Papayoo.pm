# Everything a Perl bot needs to talk to the arena, in one file, core modules only.
#
# Write two functions and call run:
#
#     use Papayoo qw(run);
#
#     sub choose_pass ($question) { return $question->{hand}->@[ 0 .. $question->{count} - 1 ] }    # cards to give away
#     sub choose_card ($question) { return $question->{legal}[0] }                                   # a legal card
#
#     run( 'My bot', choose_pass => \&choose_pass, choose_card => \&choose_card );
#
# A question is a reference to a hash. Lists of numbers have one for each seat; all count from 0.
#
#     both         table round dealer
#                  players          how many seats the table has
#                  seat             yours; seat + 1 is the left neighbour, who gets your pass and plays after you
#                  hand             sorted S, H, D, C, P and by rank
#                  scores           card points of the earlier rounds
#                  move_ms bank_ms  the time for this answer, and what is left for the match beyond that
#                  events           since the last message: { event => ..., seat => ..., card => ... or cards => ... },
#                                   event being passed, received, die (its card is the Papayoo), played or taken
#     choose_pass  count
#     choose_card  trick_number leader
#                  papayoo_suit     S, H, D or C
#                  legal
#                  trick            in play order, the leader's first; empty if you lead
#                  received passed
#                  points           taken in this round so far
#
# Cards are texts: S7 is the seven of spades, P20 the Payoo 20. How to play well is not the business of this file.
package Papayoo;
use v5.36;
use B            ();
use Encode       ();
use Exporter     qw(import);
use List::Util   qw(reduce);
use MIME::Base64 ();
our @EXPORT_OK = qw(beats decode encode points rank run suit winner);

# ---------------------------------------------------------------------------- cards

sub suit ($card) { return substr $card, 0, 1 }
sub rank ($card) { return substr $card, 1 }

# What a card costs its taker: a Payoo its rank, the 7 of that suit 40, any other 0.
sub points ( $card, $papayoo_suit ) {
    return rank($card) if suit($card) eq 'P';
    return $card eq "${papayoo_suit}7" ? 40 : 0;
}

# Whether a card takes the trick from another, which was winning it.
sub beats ( $card, $other ) { return suit($card) eq suit($other) && rank($card) > rank($other) }

# The card that takes a trick: the highest of the suit that was led. Undefined if no card lies there.
sub winner (@trick) {
    return reduce { beats( $b, $a ) ? $b : $a } @trick;
}

# ---------------------------------------------------------------------------- the wire
# One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil (undef here), bool
# (\0 and \1), int, str, array and map. A number or a length that does not fit into the first byte follows it.

my $MAX_INT = 2**53 - 1;
my ( $MAX_DEPTH, $MAX_ITEMS, $MAX_KEYS ) = ( 8, 1024, 64 );

my %INT = (
    ( 0xcc => 'C', 0xcd => 'S>', 0xce => 'L>', 0xcf => 'Q>' ),
    ( 0xd0 => 'c', 0xd1 => 's>', 0xd2 => 'l>', 0xd3 => 'q>' ),
);
my %SIZE = ( 0xd9 => 'C', 0xda => 'S>', 0xdb => 'L>', 0xdc => 'S>', 0xdd => 'L>', 0xde => 'S>', 0xdf => 'L>' );

# The message in a line, with or without its end. Dies of whatever protocol 1 refuses.
sub decode ($line) {
    $line =~ s/\r?\n?\z//;
    die "the line is not base64\n" if length($line) % 4 || $line !~ m{\A[A-Za-z0-9+/]*={0,2}\z};
    my $rest    = MIME::Base64::decode_base64($line);
    my $message = _read( \$rest, 1 );
    die "a message is exactly one map\n" if ref $message ne 'HASH' || length $rest;
    return $message;
}

# The line that carries a message, newline included: encode( type => 'card', ... ).
sub encode (@pairs) { return MIME::Base64::encode_base64( _pack_pairs(@pairs), '' ) . "\n" }

sub _take ( $rest, $size ) {
    die "the message ends too early\n" if $size > length $$rest;
    return substr $$rest, 0, $size, '';
}

sub _number ( $rest, $form ) { return unpack $form, _take( $rest, length pack $form, 0 ) }

# The next value. $depth is how deep it would be as a list or map; a message is 1.
sub _read ( $rest, $depth ) {
    my $kind = _number( $rest, 'C' );
    return $kind if $kind < 0x80;
    return _read_map( $rest, $kind - 0x80, $depth )  if $kind < 0x90;
    return _read_list( $rest, $kind - 0x90, $depth ) if $kind < 0xa0;
    return _read_text( $rest, $kind - 0xa0 )         if $kind < 0xc0;
    return undef                                     if $kind == 0xc0;
    return \( $kind - 0xc2 )                         if $kind == 0xc2 || $kind == 0xc3;
    return $kind - 0x100                             if $kind >= 0xe0;
    return _read_int( $rest, $INT{$kind} )           if exists $INT{$kind};
    die sprintf "msgpack type 0x%02x is not part of the protocol\n", $kind if !exists $SIZE{$kind};
    my $size = _number( $rest, $SIZE{$kind} );
    return _read_text( $rest, $size ) if $kind <= 0xdb;
    return _read_list( $rest, $size, $depth ) if $kind <= 0xdd;
    return _read_map( $rest, $size, $depth );
}

sub _read_int ( $rest, $form ) {
    my $number = _number( $rest, $form );
    die "an integer is 2^53 or more in size\n" if abs $number > $MAX_INT;
    return $number;
}

sub _read_text ( $rest, $size ) { return Encode::decode( 'UTF-8', _take( $rest, $size ), Encode::FB_CROAK ) }

sub _read_list ( $rest, $size, $depth ) {
    die "a list is too long, or nested too deep\n" if $size > $MAX_ITEMS || $depth > $MAX_DEPTH;
    return [ map { _read( $rest, $depth + 1 ) } 1 .. $size ];
}

sub _read_map ( $rest, $size, $depth ) {
    die "a map is too large, or nested too deep\n" if $size > $MAX_KEYS || $depth > $MAX_DEPTH;
    my %map;
    for ( 1 .. $size ) {
        my $key = _read( $rest, $depth + 1 );
        die "a key is no text\n" if !_is_text($key);
        die "a key comes twice\n" if exists $map{$key};
        $map{$key} = _read( $rest, $depth + 1 );
    }
    return \%map;
}

# Perl knows whether a value was made as a text or as a number, but does not like to tell.
sub _is_text ($value) { return defined $value && !ref $value && B::svref_2object( \$value )->FLAGS & B::SVp_POK }

sub _pack ($value) {
    return "\xc0" if !defined $value;
    return $$value ? "\xc3" : "\xc2" if ref $value eq 'SCALAR';
    return _pack_pairs(%$value) if ref $value eq 'HASH';
    return _pack_size( scalar @$value, 0x90, 16, 0xdc ) . join '', map { _pack($_) } @$value if ref $value eq 'ARRAY';
    return _pack_int($value) if !_is_text($value);
    my $text = Encode::encode( 'UTF-8', $value );
    my $size = length $text;
    return ( $size >= 32 && $size < 256 ? pack 'CC', 0xd9, $size : _pack_size( $size, 0xa0, 32, 0xda ) ) . $text;
}

sub _pack_pairs (@pairs) { return _pack_size( @pairs / 2, 0x80, 16, 0xde ) . join '', map { _pack($_) } @pairs }

# A size in the first byte if it is below $limit, else in 2 or 4 bytes after it.
sub _pack_size ( $size, $first, $limit, $kind ) {
    return pack 'C', $first + $size if $size < $limit;
    return $size <= 0xffff ? pack 'CS>', $kind, $size : pack 'CL>', $kind + 1, $size;
}

sub _pack_int ($number) {
    return pack 'C', $number & 0xff if $number >= -32 && $number < 0x80;
    my ( $first, $bits ) = $number < 0 ? ( 0xd0, 2 * ~$number ) : ( 0xcc, $number );    # with room for the sign
    my $kind = $first + ( $bits <= 0xff ? 0 : $bits <= 0xffff ? 1 : $bits <= 0xffff_ffff ? 2 : 3 );
    return pack "C$INT{$kind}", $kind, $number;
}

# ---------------------------------------------------------------------------- the conversation

# Talk to the arena until it says bye or closes the pipe.
#
# news => sub ($message) {...} is told what needs no answer: messages of the type start, round_over, match_over.
# Standard output belongs to the arena: what the bot prints goes to standard error, which is kept for you.
sub run ( $name, %bot ) {
    binmode STDIN;
    STDOUT->autoflush(1);
    select STDERR;
    while ( defined( my $line = readline STDIN ) ) {
        my $message = eval { decode($line) };
        if ( !$message ) {
            print $@;
            exit 1;
        }
        my ( $type, $id ) = $message->@{qw(type id)};
        if ( $type eq 'hello' ) {
            print STDOUT encode( type => 'ready', id => $id, name => $name, version => '1', language => 'Perl' );
        }
        elsif ( $type eq 'pass' ) {
            print STDOUT encode( type => 'cards', id => $id, cards => [ $bot{choose_pass}->($message) ] );
        }
        elsif ( $type eq 'play' ) {
            print STDOUT encode( type => 'card', id => $id, card => scalar $bot{choose_card}->($message) );
        }
        elsif ( $type eq 'bye' ) {
            return;
        }
        elsif ( $bot{news} ) {
            $bot{news}->($message);
        }
    }
    return;
}

1;
