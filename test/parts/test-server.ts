/** A listening server as it starts in production. It stores where this run does (test-database.ts). */
import { loadConfig } from '../../src/config/load.ts'
import { type RunningServer, type StartOptions, startServer } from '../../src/start.ts'
import { recordStatements } from './recorded-statements.ts'
import { closeAfterFile, openFolderDatabase, openTestDatabase } from './test-database.ts'

interface TestServerOptions extends Omit<StartOptions, 'folder'> {
  /** Undefined: without one. On PostgreSQL, servers with the same folder have the same database. */
  readonly folder?: string
}

export async function startTestServer(
  env: Record<string, string>,
  { folder, ...options }: TestServerOptions = {},
): Promise<RunningServer> {
  const elsewhere = await (folder === undefined ? openTestDatabase() : openFolderDatabase(folder))
  const config = await loadConfig({
    env: { PROOFGATE_PORT: '0', ...elsewhere?.env, ...env },
    cwd: folder ?? '/nonexistent',
  })
  const server = await startServer(config, { folder, ...options })
  if (elsewhere) {
    closeAfterFile(server.stop)
    recordStatements(server.parts.db)
  }
  return server
}
