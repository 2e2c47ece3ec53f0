#!/usr/bin/env node
import { run } from './program.js'

process.exitCode = await run(process.argv.slice(2), {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  // Node looks at NO_COLOR and FORCE_COLOR itself; what is no terminal has none.
  colour: process.stdout.hasColors?.() ?? false,
  progress: process.stderr.isTTY ?? false,
})
