import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Ends `child` when this process is gone, even by SIGKILL, and then removes `folder`. A shell waits
 * on a pipe that only this process holds; the pipe closes with it. Does nothing on Windows, which
 * has no `sh`.
 */
export function guardProcess<Child extends ChildProcess>(child: Child, folder?: string): Child {
  if (process.platform === 'win32' || child.pid === undefined) return child
  const remove = folder === undefined ? '' : '; rm -rf "$1"'
  const guard = spawn('/bin/sh', ['-c', `read -r _; kill -9 "$0"${remove}`, `${child.pid}`, folder ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: Ctrl-C in a terminal must not end it first.
    detached: true,
  })
  // Without a guard the exit hooks of the callers still hold.
  guard.on('error', () => {})
  guard.stdin?.on('error', () => {})
  letParentExit(guard)
  child.once('exit', () => guard.kill('SIGKILL'))
  return child
}

/** Keeps neither the process nor its pipes from letting this one end. */
export function letParentExit(child: ChildProcess): void {
  for (const stream of child.stdio)
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  child.unref()
}
