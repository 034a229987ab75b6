import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ConfigInput } from '../../src/config/config-input.ts'
import { ConfigError, type Finding, loadConfig } from '../../src/config/load.ts'
import { temporaryFolders, useFolder } from '../parts/folders.ts'

type Files = Record<string, string | Uint8Array>

/**
 * Call it at the top of a test file. The returned function makes folders with files in them, deleted when the test file
 * ends.
 */
export function folders(): (files?: Files) => string {
  const newFolder = temporaryFolders()
  return (files = {}) => {
    const path = newFolder()
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    }
    return path
  }
}

type Given = Partial<ConfigInput> & { readonly toml?: string | Uint8Array }

/** Loads a folder that holds only `toml` as proofgate.toml, if given. */
export const load = ({ toml, ...input }: Given = {}) =>
  useFolder((cwd) => {
    if (toml !== undefined) writeFileSync(join(cwd, 'proofgate.toml'), toml)
    return loadConfig({ env: {}, cwd, ...input })
  })

export async function findings(given: Given): Promise<readonly Finding[]> {
  try {
    await load(given)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.findings
    throw error
  }
}

export const messages = async (given: Given) => (await findings(given)).map(({ message }) => message)
