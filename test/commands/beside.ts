/** A server that runs, in a folder of the test's own, and a command beside it. Both are gone when the test file ends. */
import { afterAll, afterEach } from 'bun:test'
import { rmSync } from 'node:fs'
import { type Server, startIn } from '../journeys/server.ts'
import { newFolder } from './terminal.ts'

export function beside() {
  const folders: string[] = []
  let server: Server | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return {
    newPlace() {
      const cwd = newFolder()
      folders.push(cwd)
      return { cwd, env: { PROOFGATE_DATA: cwd } }
    },
    async start(folder: string): Promise<Server> {
      server = await startIn(folder, { PROOFGATE_DATA: folder })
      return server
    },
  }
}
