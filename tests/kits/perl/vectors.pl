# Reads lines of the protocol in hexadecimal and writes what the kit makes of them: see ../README.md.
use v5.36;
use FindBin;
use lib $FindBin::Bin;
use Papayoo qw(decode encode);

while ( defined( my $hex = readline STDIN ) ) {
    chomp $hex;
    my $message = eval { decode( pack 'H*', $hex ) };
    print $message ? encode(%$message) : 'refused ' . $@ =~ s/\s+/ /gr . "\n";
}
