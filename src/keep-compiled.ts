/** The last of each kind that was made. */
const lasting = new Map<string, object>()

/**
 * Keeps the functions of `made` from being compiled again and again. V8 holds the machine code of
 * a closure only as long as one closure of the same place lives: an engine that is made for a run
 * and thrown away takes its compiled code along at the next full collection, and a sweep spent a
 * third of its time on compiling what was compiled before. So the last of each kind stays, and
 * with it what it holds on to. `kind` is one of few names: each keeps one object for good.
 */
export function keepCompiled<Made extends object>(kind: string, made: Made): Made {
  lasting.set(kind, made)
  return made
}
