/* The three standard streams are open, so that no file of ours takes the place of one. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/cli/verb.h"

/* What is printed to a closed stream must not end in the next file that is opened. In its place
   comes one that only fails, the other way round: writing to it is an error as it was before. */
bool dama_streams_guard(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        /* The lowest free number is this one: those below are open. */
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) {
            return false;
        }
    }
    return true;
}
