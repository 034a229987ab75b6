/** Who judges is the operator's choice: what a request may name, and what gates count, over HTTP. */
import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import { openaiEnv, visionEnv } from '../outside/moderation/opened.ts'
import { base64, png } from '../outside/moderation/pictures.ts'
import { webacyAt } from '../outside/risk/opened.ts'
import { startAnvil } from '../parts/anvil.ts'
import { startOpenai, startVision } from '../parts/moderation-providers.ts'
import { startGoplus, startWebacy } from '../parts/risk-providers.ts'
import { alice } from '../wallets.ts'
import { asking, failed, refused } from './ask.ts'

const webacy = startWebacy()
const goplus = startGoplus()
const plain = alice.address.toLowerCase()
const once = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
  PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1',
}

afterEach(() => {
  webacy.sanctioned.clear()
  webacy.says.clear()
  goplus.asked.length = 0
})

describe('a caller who looks for a weaker judge', () => {
  test('of wallets finds none: another provider that is configured may not be named', async () => {
    webacy.sanctioned.add(plain)
    const app = await startApp({
      ...once,
      ...webacyAt(webacy.url),
      PROOFGATE_RISK_GOPLUS_ENABLED: 'true',
      PROOFGATE_RISK_GOPLUS_URL: goplus.url,
    })
    const ask = asking(app, 'wallet-risk')
    expect(await ask(alice, { walletAddress: alice.address })).toMatchObject(failed('wallet-risk', 'WALLET_SANCTIONED'))
    const answer = await leavesNothing(app.parts, () =>
      ask(alice, { walletAddress: alice.address, provider: 'goplus' }),
    )
    expect(answer).toMatchObject(refused('wallet-risk', '/provider'))
    expect(goplus.asked).toEqual([])
    await app.close()
  })

  test('of pictures finds none', async () => {
    const openai = startOpenai()
    const vision = startVision()
    const app = await startApp({ ...once, ...openaiEnv(openai), ...visionEnv(vision) })
    const answer = await leavesNothing(app.parts, () =>
      asking(app, 'ai-content-moderation')(alice, {
        content: base64(png()),
        contentType: 'image/png',
        provider: 'openai',
      }),
    )
    expect(answer).toMatchObject(refused('ai-content-moderation', '/provider'))
    expect(openai.taken).toEqual([])
    await Promise.all([openai.stop(), vision.stop(), app.close()])
  })
})

describe('a gate that asks for sanctioned=false', async () => {
  const anvil = await startAnvil({ chainId: 8453 })
  afterAll(() => anvil.stop())
  await anvil.send({ to: alice.address as `0x${string}`, value: 1n })

  test('does not count a proof for which nobody looked at sanctions, and says why', async () => {
    const app = await startApp({
      ...once,
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    })
    const made = await asking(app, 'wallet-risk')(
      alice,
      { walletAddress: alice.address, chain: 'base' },
      { options: { privacyLevel: 'public' } },
    )
    expect(made.body.data.verifiedVerifiers[0].data.checked).toEqual(['activity'])
    const check = async (query: string) =>
      (await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierIds=wallet-risk&${query}&explain=true`))
        .body.data
    const { eligible, explain } = await check('sanctioned=false')
    expect(eligible).toBe(false)
    expect(JSON.stringify(explain)).toContain('NOT_CHECKED')
    await app.close()
  })
})
