/** The configuration that a page tells its reader to write: its blocks `toml proofgate.toml`, one after the other. */
import { type Block, type Page, readPage } from './page.ts'
import type { World } from './world.ts'

export const joinConfiguration = ({ blocks }: Page): string =>
  blocks
    .filter(({ name }) => name === 'proofgate.toml')
    .map(({ code }) => code)
    .join('\n')

/** Whether the page speaks of a chain or a resolver that the tests have to bring. */
export const needsWorld = (page: Page): boolean => /rpc\.example\.com|9\.9\.9\.9/.test(joinConfiguration(page))

/** Replaces the words in brackets, as the reader would. */
export const fillPlaceholders = (code: string): string =>
  code.replace('<0x and 64 hexadecimal digits>', `0x${'1'.repeat(64)}`).replace(/"<[a-z ]+>"/g, '"filled-in"')

/** Files that must be there before a server with this configuration starts. */
export function listFilesBeforeStart(page: Page, world: World | undefined): Record<string, string> {
  const configuration = joinConfiguration(page)
  if (configuration === '') return {}
  return {
    'proofgate.toml': world ? world.here(configuration) : configuration,
    // The reader makes it before the restart: without it the server would not start.
    ...(configuration.includes('deny.txt') ? { 'deny.txt': '# nobody yet\n' } : {}),
  }
}

export const listBlocks = (paths: readonly string[]): { readonly page: Page; readonly block: Block }[] =>
  paths.map(readPage).flatMap((page) => page.blocks.map((block) => ({ page, block })))
