import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Keeps a list of processes and folders; when its input ends, the processes are killed and the
 * folders removed. Lines are `hold <pid> <folder>` and `free <pid>`.
 */
const GUARD = `
end='
'
held=
while read -r what pid folder; do
  case $what in
    hold) held="$held$pid $folder$end" ;;
    free) held="$(printf '%s' "$held" | grep -v "^$pid ")"; held="\${held:+$held$end}" ;;
  esac
done
printf '%s' "$held" | while read -r pid folder; do
  kill -9 "$pid"
  [ -z "$folder" ] || rm -rf "$folder"
done`

/** One for all processes of this one: starting a process copies the tables of a large one. */
let guard: ChildProcess | undefined

/**
 * Ends `child` when this process is gone, even by SIGKILL, and then removes `folder`. A shell waits
 * on a pipe that only this process holds; the pipe closes with it. Does nothing on Windows, which
 * has no `sh`.
 */
export function guardProcess<Child extends ChildProcess>(child: Child, folder = ''): Child {
  const { pid } = child
  if (process.platform === 'win32' || pid === undefined) return child
  guard ??= startGuard()
  const { stdin } = guard
  stdin?.write(`hold ${pid} ${folder}\n`)
  // Its number may be another process's from then on.
  child.once('exit', () => stdin?.write(`free ${pid}\n`))
  return child
}

function startGuard(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', GUARD], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: Ctrl-C in a terminal must not end it first.
    detached: true,
  })
  const forget = () => {
    if (guard === started) guard = undefined
  }
  // Without a guard the exit hooks of the callers still hold.
  started.on('error', forget)
  started.on('exit', forget)
  started.stdin?.on('error', forget)
  letParentExit(started)
  return started
}

/** Keeps neither the process nor its pipes from letting this one end. */
export function letParentExit(child: ChildProcess): void {
  for (const stream of child.stdio)
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  child.unref()
}
