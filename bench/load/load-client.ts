import autocannon from 'autocannon'

/** The other side of the load bench: takes one set of options from its parent, fires, and sends the result back. */
process.once('message', async (options: autocannon.Options) => {
  const result = await autocannon(options)
  process.send?.(result, () => process.exit(0))
})
