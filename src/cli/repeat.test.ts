import { expect, test } from 'vitest'
import { BaseError } from '../errors.js'
import { repeat } from './repeat.js'

/** Gives these answers one after the other, and stops with the last. */
async function watch(answers: (string | Error)[]) {
  const out: string[] = []
  const err: string[] = []
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const io = {
    write: (text: string) => out.push(text),
    writeError: (text: string) => err.push(text),
    untilStopped: () => stopped,
  }
  const left = [...answers]
  const look = async () => {
    const answer = left.shift() ?? ''
    if (left.length === 0) stop()
    if (answer instanceof Error) throw answer
    return answer
  }
  await repeat(io, look, 0)
  return { out, err }
}

test('writes what changed, and only that', async () => {
  expect((await watch(['safe', 'safe', 'honeypot', 'honeypot', 'safe'])).out).toEqual(['safe', 'honeypot', 'safe'])
})

test('a look that fails is said, and is not the end', async () => {
  const { out, err } = await watch(['safe', new BaseError('Chain state is not available'), 'safe', 'honeypot'])
  expect(out).toEqual(['safe', 'honeypot'])
  expect(err).toEqual(['assay: Chain state is not available\n'])
})

test('a mistake of ours is the end', async () => {
  await expect(watch([new TypeError('undefined is not a function'), 'safe'])).rejects.toThrow(TypeError)
})
