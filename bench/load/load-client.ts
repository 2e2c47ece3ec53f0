import autocannon from 'autocannon'

/**
 * The other side of the load bench: takes one set of options from its parent, fires, and sends the
 * result back. It never sleeps: on one machine a sender to a process that sleeps pays for waking
 * it, which no client on another machine would cost, and the slower side would pay it more often.
 */
process.once('message', async (options: autocannon.Options) => {
  const stayAwake = () => void setImmediate(stayAwake)
  stayAwake()
  const result = await autocannon(options)
  process.send?.(result, () => process.exit(0))
})
