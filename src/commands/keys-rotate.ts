/** `proofgate keys rotate`: a new key to sign access tokens with. */
import { listKeys } from '../oauth/key-store.ts'
import { rotateSigningKey } from '../oauth/signing-key.ts'
import { exitCodes, type Terminal } from './command.ts'
import { useDataFolder } from './data-folder.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

export async function rotateKey(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = readOptions(args, commonOptions)
  const config = await loadNamedConfig(values, terminal)
  return useDataFolder(config, terminal, async (parts) => {
    const kid = await rotateSigningKey(parts)
    const made = (await listKeys(parts.db)).find((key) => key.kid === kid)
    if (!made) throw new Error('a signing key that was just made is not there')
    const { alg, notBefore } = made
    if (values.json) terminal.out(`${JSON.stringify({ kid, alg, notBefore })}\n`)
    else {
      const when = notBefore > parts.now() ? `from ${new Date(notBefore).toISOString()} on` : 'at once'
      terminal.out(
        `${kid} (${alg}) signs access tokens ${when}. Tokens of the key before stay valid until they expire.\n`,
      )
    }
    return exitCodes.done
  })
}
