/* Two pipes, a process group, and a guard process that ends it. */
#include "eval/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/cli/clock.h"

enum { READ_END, WRITE_END, REPORT_DESCRIPTOR = 3, LAST_NAPS = 1000, MS = 1000 };

struct dama_process {
    pid_t guard;
    int input; /* what we write */
    struct dama_lines output;
};

/* The descriptors of a start; -1: closed or given away. */
struct pipes {
    int input[2], output[2];
    int report[2]; /* errno of a program that could not be run; closed by one that runs */
};

static void close_all(int *descriptors, int count)
{
    for (int i = 0; i < count; i++) {
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
        }
        descriptors[i] = -1;
    }
}

static void close_pipes(struct pipes *pipes)
{
    close_all(pipes->input, 2);
    close_all(pipes->output, 2);
    close_all(pipes->report, 2);
}

static bool open_pipes(struct pipes *pipes)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return pipe2(pipes->input, O_CLOEXEC) == 0 && pipe2(pipes->output, O_CLOEXEC) == 0 &&
           pipe2(pipes->report, O_CLOEXEC) == 0 &&
           fcntl(pipes->input[WRITE_END], F_SETFL, O_NONBLOCK) == 0;
}

/* What follows runs in children of a process with threads: only calls that are safe there. */

static void reset_signals(void)
{
    static const int changed[] = {SIGPIPE, SIGTERM, SIGINT, SIGUSR1, SIGCHLD};
    sigset_t none;
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        signal(changed[i], SIG_DFL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_program(const struct pipes *pipes, char *const argv[], const char *folder)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(pipes->input[READ_END], STDIN_FILENO);
    dup2(pipes->output[WRITE_END], STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (pipes->report[WRITE_END] != REPORT_DESCRIPTOR) {
        dup3(pipes->report[WRITE_END], REPORT_DESCRIPTOR, O_CLOEXEC);
    }
    close_range(REPORT_DESCRIPTOR + 1, ~0U, 0);
    reset_signals();
    if (!folder || chdir(folder) == 0) {
        execvp(argv[0], argv);
    }
    int reason = errno;
    ssize_t written = write(REPORT_DESCRIPTOR, &reason, sizeof reason);
    _exit(written == sizeof reason ? 1 : 2);
}

/* Returns when the program has ended, or when SIGTERM says that it shall. */
static void wait_for_end(pid_t program)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCHLD);
    for (;;) {
        int signal_number = sigwaitinfo(&awaited, NULL);
        if (signal_number == SIGTERM ||
            (signal_number == SIGCHLD && waitpid(program, NULL, WNOHANG) == program)) {
            return;
        }
    }
}

/* SIGTERM is what the end of our thread sends it. What the program has started becomes the guard's
   own, so that all of it is waited for; what has left the group is not waited for long. */
static _Noreturn void guard(pid_t parent, const struct pipes *pipes, char *const argv[],
                            const char *folder)
{
    static const struct timespec nap = {.tv_nsec = 1000000};
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t program = getppid() == parent ? fork() : -1;
    if (program == 0) {
        run_program(pipes, argv, folder);
    }
    close_range(0, ~0U, 0);
    if (program > 0) {
        setpgid(program, program);
        wait_for_end(program);
        kill(-program, SIGKILL);
        for (int naps = 0; naps < LAST_NAPS && waitpid(-1, NULL, WNOHANG) >= 0; naps++) {
            nanosleep(&nap, NULL);
        }
    }
    _exit(0);
}

/* 0 when the program runs, else why it does not. */
static int read_report(const struct pipes *pipes)
{
    int reason = 0;
    ssize_t got;
    do {
        got = read(pipes->report[READ_END], &reason, sizeof reason);
    } while (got < 0 && errno == EINTR);
    return got == sizeof reason ? reason : 0;
}

/* The guard ends everything and then itself. */
static void end_guard(pid_t guard_number)
{
    kill(guard_number, SIGTERM);
    while (waitpid(guard_number, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* The guard's process number; -1 with errno. */
static pid_t launch(struct pipes *pipes, char *const argv[], const char *folder)
{
    pid_t parent = getpid();
    pid_t guard_number = fork();
    if (guard_number == 0) {
        guard(parent, pipes, argv, folder);
    }
    if (guard_number < 0) {
        return -1;
    }
    close_all(&pipes->input[READ_END], 1);
    close_all(&pipes->output[WRITE_END], 1);
    close_all(&pipes->report[WRITE_END], 1);
    int reason = read_report(pipes);
    if (reason) {
        end_guard(guard_number);
        errno = reason;
        return -1;
    }
    return guard_number;
}

struct dama_process *dama_process_start(char *const argv[], const char *folder,
                                        struct dama_error *err)
{
    struct pipes pipes;
    struct dama_process *process = malloc(sizeof *process);
    signal(SIGPIPE, SIG_IGN);
    pid_t guard_number = process && open_pipes(&pipes) ? launch(&pipes, argv, folder) : -1;
    if (guard_number < 0) {
        int reason = errno;
        if (process) {
            close_pipes(&pipes);
        }
        free(process);
        dama_fail(err, DAMA_IO, "%s: cannot be started%s%s: %s", argv[0], folder ? " in " : "",
                  folder ? folder : "", strerror(reason));
        return NULL;
    }
    process->guard = guard_number;
    process->input = pipes.input[WRITE_END];
    dama_lines_init(&process->output, pipes.output[READ_END]);
    close_all(&pipes.report[READ_END], 1);
    return process;
}

void dama_process_end(struct dama_process *process, int wait_ms)
{
    if (!process) {
        return;
    }
    char *line;
    double deadline = dama_clock() + wait_ms / (double)MS;
    close(process->input);
    for (int left = wait_ms; left > 0; left = (int)((deadline - dama_clock()) * MS)) {
        enum dama_lines_state state = dama_lines_next(&process->output, left, &line);
        if (state == DAMA_LINES_END || state == DAMA_LINES_NONE) {
            break;
        }
    }
    end_guard(process->guard);
    close(process->output.descriptor);
    free(process);
}

bool dama_process_send(struct dama_process *process, const char *text, int wait_ms)
{
    size_t length = strlen(text);
    double deadline = dama_clock() + wait_ms / (double)MS;
    while (length > 0) {
        ssize_t written = write(process->input, text, length);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno != EAGAIN && errno != EINTR) {
            return false;
        }
        int left = (int)((deadline - dama_clock()) * MS);
        if (length > 0 && left <= 0) {
            return false;
        }
        struct pollfd wanted = {.fd = process->input, .events = POLLOUT};
        if (length > 0) {
            poll(&wanted, 1, left);
        }
    }
    return true;
}

enum dama_lines_state dama_process_next(struct dama_process *process, int wait_ms, char **line)
{
    return dama_lines_next(&process->output, wait_ms, line);
}
