/** The server as `serve` runs it, from source. SIGUSR2 has it check the whole database at once, without waiting for hours. */
import { loadConfig } from '../../src/config/load.ts'
import { startServer } from '../../src/start.ts'

const config = await loadConfig({ env: process.env, cwd: '/' })
const server = await startServer(config, { folder: config.data })
let ended = 0
process.on('SIGUSR2', async () => {
  await server.parts.damage.check()
  console.log(`check ${++ended} ended`)
})
process.on('SIGTERM', async () => {
  await server.stop()
  process.exit(0)
})
