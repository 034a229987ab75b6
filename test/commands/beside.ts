/** A server that runs, in a folder of the test's own, and a command beside it. Both are gone when the test file ends. */
import { afterEach } from 'bun:test'
import { type Server, startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { makeDataFolder } from './data-folder.ts'

export function beside() {
  const newFolder = temporaryFolders()
  let server: Server | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })
  return {
    /** A folder in which a server has run once, used as working folder and as data folder. */
    newPlace() {
      const cwd = newFolder()
      makeDataFolder(cwd)
      return { cwd, env: { PROOFGATE_DATA: cwd } }
    },
    async start(folder: string): Promise<Server> {
      server = await startOnFiles(folder, { PROOFGATE_DATA: folder })
      return server
    },
  }
}
