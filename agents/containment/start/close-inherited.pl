# close-inherited.pl COMMAND [ARGUMENT...]
#
# Becomes COMMAND, which has the file descriptors 0 to 4 and no other. Whatever else is open was inherited, say from the
# shell that a worker was started in: a lock, a secret, a folder. A round would have it past every sandbox.
use strict;
use warnings;

# Of macOS, /dev/fd shows the same.
opendir(my $open, -d '/proc/self/fd' ? '/proc/self/fd' : '/dev/fd') or die "open files cannot be listed: $!\n";
my @inherited = grep { /^\d+$/ && $_ > 4 } readdir $open;
closedir $open;
for my $number (@inherited) {
  # The list's own is closed already.
  open(my $file, '<&=', $number) or next;
  close $file;
}
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
