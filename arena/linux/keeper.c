/* The keeper of one bot: starts it, reaps what it leaves, and ends all of it. Linux only.
 *
 *     keeper PARENT MODE PROGRAM ARGUMENT ...
 *
 * PARENT: the number of the process that starts the keeper. When that is gone, or on SIGTERM, or when the
 * program has ended, everything below the keeper is ended. The keeper ends last, as the program has ended: with
 * its exit code or by its signal. So whoever waits for the keeper waits until nothing is left.
 *
 * SIGUSR1 stops everything below the keeper, and SIGUSR2 lets it go on.
 *
 * MODE "own": in a process namespace of its own, where this user may make one (root, or anybody where the
 * kernel lets users make user namespaces). Its first process is a second keeper, which no bot can kill, and with
 * which the kernel ends all others, however fast they breed. MODE "plain", and elsewhere: the keeper is a
 * subreaper, so what leaves its parent stays below the keeper. It stops everything before it kills anything,
 * because a stopped process starts no other.
 *
 * It must not know what a bot is, and does nothing while nothing ends and nobody signals it.
 * arena/linux/slow_keeper.py does the same as "plain" where this file could not be compiled.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CANNOT_RUN = 127,
    STACK = 1 << 16,
    MOST_ROUNDS = 32, /* of stopping, before what has not stopped is killed all the same */
    NAP_NS = 1000000,
};

static char **program;
static sigset_t callers_mask;
static pid_t self;
static pid_t second_keeper; /* the first process of the namespace, or 0: it goes on when others are stopped */

/* The end of a keeper that cannot keep anything. */
static void give_up(const char *what)
{
    dprintf(2, "the keeper cannot start: %s: %s\n", what, strerror(errno));
    _exit(CANNOT_RUN);
}

/* Become the program. It is killed when its keeper is gone; `keeper` is 0 where the kernel sees to that. */
static void become_the_program(pid_t keeper)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (keeper && getppid() != keeper)
        _exit(CANNOT_RUN);
    sigprocmask(SIG_SETMASK, &callers_mask, NULL);
    execvp(program[0], program);
    dprintf(2, "cannot be started: %s: %s\n", program[0], strerror(errno));
    _exit(CANNOT_RUN);
}

/* A keeper must not hold the bot's input and output open. */
static void let_go_of_pipes(void)
{
    close(0);
    close(1);
    close(2);
}

/* The processes of a tree, parents first. */
struct tree {
    pid_t *pids;
    size_t count, room;
};

static void add(struct tree *tree, pid_t pid)
{
    if (tree->count == tree->room) {
        size_t room = tree->room ? 2 * tree->room : 256;
        pid_t *pids = realloc(tree->pids, room * sizeof *pids);
        if (!pids)
            return; /* found in the next round, when others are gone */
        tree->pids = pids;
        tree->room = room;
    }
    tree->pids[tree->count++] = pid;
}

/* Read the state and the parent of a process; 0 when it is gone. */
static char state_of(pid_t pid, pid_t *parent)
{
    char path[32], text[512], state = 0, *end;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0)
        return 0;
    text[size] = 0;
    /* The name in brackets may hold spaces and brackets itself. */
    end = strrchr(text, ')');
    return end && sscanf(end + 1, " %c %d", &state, parent) == 2 ? state : 0;
}

/* Send a signal to a child of `parent`. Return whether it was there and neither stopped nor dead. */
static int signal_child(pid_t pid, pid_t parent, int number)
{
    pid_t its_parent = 0;
    /* The number can go to a stranger at any moment. The descriptor stays with one process. */
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0)
        return 0;
    char state = state_of(pid, &its_parent);
    int ours = state && (its_parent == parent || its_parent == self);
    if (pid == second_keeper)
        ours = 0;
    if (ours && state != 'Z' && state != 'X')
        syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0);
    close(pidfd);
    return ours && !strchr("TtZX", state);
}

/* Signal the children of one thread, and add them to the tree. Return how many were running. */
static int signal_children_of(struct tree *tree, pid_t parent, const char *thread, int number)
{
    char path[320], text[4096];
    ssize_t size;
    int running = 0;
    pid_t pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", parent, thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    while ((size = read(file, text, sizeof text)) > 0)
        for (ssize_t at = 0; at < size; at++) {
            if (text[at] != ' ') {
                pid = 10 * pid + text[at] - '0';
                continue;
            }
            running += signal_child(pid, parent, number);
            add(tree, pid);
            pid = 0;
        }
    close(file);
    return running;
}

/* Signal everything below this process, parents first. Return how many were running. */
static int signal_all(struct tree *tree, int number)
{
    char path[32];
    int running = 0;
    tree->count = 0;
    add(tree, self);
    for (size_t at = 0; at < tree->count; at++) { /* grows while it is walked */
        struct dirent *thread;
        snprintf(path, sizeof path, "/proc/%d/task", tree->pids[at]);
        DIR *threads = opendir(path);
        while (threads && (thread = readdir(threads)))
            if (thread->d_name[0] != '.')
                running += signal_children_of(tree, tree->pids[at], thread->d_name, number);
        if (threads)
            closedir(threads);
    }
    return running;
}

/* Stop everything below this process, as far as it stops. */
static void stop_all(struct tree *tree)
{
    for (int round = 1; signal_all(tree, SIGSTOP) && round < MOST_ROUNDS; round++)
        sched_yield();
}

/* End everything below this process, and return when nothing is left. `first`: the process whose status is
 * wanted, or 0 if that is known. */
static void end_all(pid_t first, int *status)
{
    const struct timespec nap = {0, NAP_NS};
    struct tree tree = {0};
    int found;
    for (int round = 1;; round++) {
        pid_t pid;
        while ((pid = waitpid(-1, &found, WNOHANG)) > 0)
            if (pid == first)
                *status = found;
        if (pid < 0 && errno == ECHILD)
            break;
        /* What was started while the others were being stopped is found in the next round. */
        if (signal_all(&tree, SIGSTOP) && round % MOST_ROUNDS)
            continue;
        signal_all(&tree, SIGKILL);
        nanosleep(&nap, NULL);
    }
    free(tree.pids);
}

/* Wait until `first` has ended or this process is told to end everything. Return whether it has ended. */
static int wait_for(pid_t first, int *status)
{
    struct tree tree = {0};
    sigset_t heard;
    int found;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    sigaddset(&heard, SIGUSR1);
    sigaddset(&heard, SIGUSR2);
    for (;;) {
        int number = sigwaitinfo(&heard, NULL);
        if (number == SIGTERM)
            return 0;
        if (number == SIGUSR1)
            stop_all(&tree);
        if (number == SIGUSR2)
            signal_all(&tree, SIGCONT); /* what is stopped starts no other, so one look is enough */
        for (pid_t pid; (pid = waitpid(-1, &found, WNOHANG)) > 0;)
            if (pid == first) {
                *status = found;
                return 1;
            }
    }
}

/* End as the program has ended. */
static void end_like(int status)
{
    if (WIFSIGNALED(status)) {
        const struct rlimit none = {0, 0};
        sigset_t mask;
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
        sigemptyset(&mask);
        sigprocmask(SIG_SETMASK, &mask, NULL);
    }
    _exit(WEXITSTATUS(status));
}

/* Write all of a text to a file of /proc. Return whether that was possible. */
static int put(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t size = write(file, text, strlen(text));
    close(file);
    return size == (ssize_t)strlen(text);
}

/* What the first process of a new namespace is told. `told`: where it says that it stands, and later how the
 * program has ended. */
struct inside {
    int told;
    int new_user;
    uid_t uid;
    gid_t gid;
};

/* Make the namespaces those of the program: the same user, and a /proc that shows its own processes. */
static int furnish(const struct inside *inside)
{
    char map[64];
    if (inside->new_user) {
        snprintf(map, sizeof map, "%u %u 1", inside->uid, inside->uid);
        if (!put("/proc/self/uid_map", map) || !put("/proc/self/setgroups", "deny"))
            return 0;
        snprintf(map, sizeof map, "%u %u 1", inside->gid, inside->gid);
        if (!put("/proc/self/gid_map", map))
            return 0;
    }
    return !mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL)
        && !mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

/* The first process of a namespace: starts the program and reaps. With its end the kernel ends all others. */
static int first_inside(void *given)
{
    const struct inside *inside = given;
    int status = 0;
    pid_t pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* The priority of a session is lowered as a whole. This must not be the session of the caller. */
    setsid();
    /* The write fails when the first keeper is gone already. */
    if (!furnish(inside) || write(inside->told, "", 1) != 1)
        _exit(1);
    pid_t bot = fork();
    if (bot < 0)
        give_up("fork");
    if (bot == 0) {
        setpgid(0, 0);
        become_the_program(0);
    }
    let_go_of_pipes();
    do
        pid = waitpid(-1, &status, 0);
    while (pid != bot && (pid > 0 || errno == EINTR));
    _exit(write(inside->told, &status, sizeof status) != sizeof status);
}

/* Start the program in a namespace of its own. Return the first process in it, or 0 where that cannot be. */
static pid_t start_inside(int *hears)
{
    static char stack[STACK] __attribute__((aligned(16)));
    struct inside inside = {.uid = geteuid(), .gid = getegid()};
    int ends[2], flags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD;
    char stands;
    inside.new_user = inside.uid != 0;
    if (pipe2(ends, O_CLOEXEC))
        return 0;
    inside.told = ends[1];
    pid_t first = clone(first_inside, stack + STACK, flags | (inside.new_user ? CLONE_NEWUSER : 0), &inside);
    close(ends[1]);
    *hears = ends[0];
    if (first > 0 && read(ends[0], &stands, 1) == 1)
        return first;
    close(ends[0]);
    if (first > 0)
        waitpid(first, NULL, 0);
    return 0;
}

static pid_t start_plainly(void)
{
    pid_t bot = fork();
    if (bot < 0)
        give_up("fork");
    if (bot == 0) {
        setsid();
        become_the_program(self);
    }
    return bot;
}

int main(int count, char **words)
{
    sigset_t all;
    int status = SIGKILL, told, hears = -1;
    if (count < 4) {
        dprintf(2, "keeper PARENT MODE PROGRAM ARGUMENT ...\n");
        return CANNOT_RUN;
    }
    program = words + 3;
    self = getpid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &callers_mask);
    signal(SIGCHLD, SIG_DFL); /* nobody can be waited for where a caller has had it ignored */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != atoi(words[1]))
        return CANNOT_RUN; /* the caller is gone already */
    pid_t first = strcmp(words[2], "own") ? 0 : start_inside(&hears);
    int own = first != 0;
    second_keeper = first;
    if (!own)
        first = start_plainly();
    let_go_of_pipes();
    if (wait_for(first, &status))
        first = 0; /* its number may go to another process now, whose end says nothing */
    else if (own)
        kill(first, SIGKILL); /* and the kernel ends all others before it calls this one dead */
    end_all(first, &status);
    if (own && read(hears, &told, sizeof told) == sizeof told)
        status = told;
    end_like(status);
}
