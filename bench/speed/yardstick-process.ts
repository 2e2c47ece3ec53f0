import { peerJob, prepareJob } from './evm-job.js'
import { processorMs } from './yardstick.js'

/** The job of the yardstick: played at each message, and answered with what it took. */

/** Plays until V8 has compiled the job. */
const WARM_UP = 20

const job = await prepareJob()
const play = await peerJob(job)
for (let round = 0; round < WARM_UP; round += 1) await play()
const tell = async () => process.send?.({ ms: await processorMs(play) })
process.on('message', tell)
process.on('disconnect', async () => {
  await job.devnet.stop()
  process.exit()
})
await tell()
