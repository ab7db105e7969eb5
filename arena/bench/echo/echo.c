/* The other end of a ping-pong: for each line an answer of so many bytes, as plainly as C can.
 *
 *     echo BYTES
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char line[65536], answer[65536];
    size_t size = argc == 2 ? (size_t)atoi(argv[1]) : 0;
    ssize_t part;
    if (size < 1 || size > sizeof answer) return 2;
    memset(answer, 'a', size);
    answer[size - 1] = '\n';
    while ((part = read(STDIN_FILENO, line, sizeof line)) > 0)
        if (line[part - 1] == '\n' && write(STDOUT_FILENO, answer, size) != (ssize_t)size) return 1;
    return 0;
}
