# @NAME@, a Papayoo bot. Change choose_pass and choose_card; Papayoo.pm does the talking.
use v5.36;
use FindBin;
use lib $FindBin::Bin;
use Papayoo qw(beats rank run winner);

# The cards for the left neighbour: the highest.
sub choose_pass ($question) {
    my @cards = sort { rank($a) <=> rank($b) } $question->{hand}->@*;
    return @cards[ -$question->{count} .. -1 ];
}

# The highest card below the one that is winning the trick; where there is none, the lowest.
sub choose_card ($question) {
    my @legal = sort { rank($a) <=> rank($b) } $question->{legal}->@*;
    my $best  = winner( $question->{trick}->@* );
    my @under = grep { defined $best && beats( $best, $_ ) } @legal;
    return $under[-1] // $legal[0];
}

run( '@NAME@', choose_pass => \&choose_pass, choose_card => \&choose_card );
