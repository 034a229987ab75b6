import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConfigError, type ConfigInput, type Finding, loadConfig } from '../../src/config/load.ts'

/** A new folder with these files in it. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'proofgate-config-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

type Given = Partial<ConfigInput> & { readonly toml?: string | Uint8Array }

/** Loads a folder that holds only `toml` as proofgate.toml, if given. */
export const load = ({ toml, ...input }: Given = {}) =>
  loadConfig({ env: {}, cwd: folder(toml === undefined ? {} : { 'proofgate.toml': toml }), ...input })

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
