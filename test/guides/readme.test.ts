/** The commands of the README run as a reader types them, one after the other. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { classifyBlock } from './blocks.ts'
import { type Checkout, startCheckout } from './checkout.ts'
import { findExpectedOutput, getExpectedExitCode } from './outputs.ts'
import { documentPaths, readPage } from './page.ts'
import { joinConfiguration, listBlocks } from './settings.ts'
import { startWorld, type World } from './world.ts'

const page = readPage('README.md')
const { blocks } = page

let checkout: Checkout
/** Without settings: no chain, and no key of a service. */
let plain: Checkout
let world: World

beforeAll(async () => {
  world = await startWorld()
  const findCode = (wanted: string): string => blocks.find(({ name }) => name === wanted)?.code ?? ''
  checkout = await startCheckout({
    'proofgate.toml': world.here(joinConfiguration(page)),
    'paid.toml': findCode('paid.toml'),
    // The reader makes it before the restart: without it the server would not start.
    'deny.txt': '# nobody yet\n',
  })
  plain = await startCheckout({ 'gates.toml': findCode('gates.toml') })
})
afterAll(async () => {
  await checkout?.stop()
  await plain?.stop()
  await world?.stop()
})

/** The wallet of `proofgate sign`. */
const signerOf = (path: string): string =>
  new Wallet(readFileSync(join(path, '.config/proofgate/wallet.key'), 'utf8').trim()).address

describe('the commands of the README', () => {
  const shown = blocks.filter(({ language, name }) => language === 'sh' && !name).map(({ code }) => code.trim())
  /** Gates, checks and fulfilments run on a server without settings. What is paid needs a chain, and one of their proofs. */
  const placesOf = (command: string): readonly Checkout[] => {
    if (command.startsWith('sh claim.sh ownership-basic')) return [plain, checkout]
    return /gates\.toml|^sh claim\.sh ownership-pseudonym|proofs\/check\?|^sh fulfil\.sh (readers|club)/.test(command)
      ? [plain]
      : [checkout]
  }

  beforeAll(() => {
    for (const { block } of listBlocks(documentPaths()))
      if (['js FILE', 'sh FILE'].includes(classifyBlock(block)))
        for (const one of [checkout, plain]) one.write(block.name!, world.here(one.here(block.code)))
  })

  test.each(shown)('%s', async (command) => {
    if (command.startsWith('sh claim.sh') && placesOf(command)[0] === checkout)
      await world.serves(signerOf(checkout.folder))
    if (command.includes('pay.sh')) await world.pays(signerOf(checkout.folder))
    for (const one of placesOf(command)) {
      const { output: printed, exitCode } = await one.run(command)
      expect(printed).toMatch(findExpectedOutput(command) ?? /"privacyLevel":"private"/)
      expect(exitCode).toBe(getExpectedExitCode(command))
    }
  })
})
