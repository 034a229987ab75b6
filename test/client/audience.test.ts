import { expect, test } from 'bun:test'
import { createClient, ProofgateError } from '../../src/client/client.ts'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'

const own = alice.address.toLowerCase()

/** A client of the app that reaches it by the given address. */
async function clientAt(url: string, audience?: string) {
  const app = await startApp({
    PROOFGATE_SIGNING_REQUIRE_AUDIENCE: 'all',
    PROOFGATE_BASE_URL: 'https://proofs.example',
  })
  const texts: string[] = []
  const client = createClient({
    url,
    audience,
    now: app.now,
    async fetch(address, init) {
      const { pathname, search } = new URL(address)
      const { status, body, headers } = await app.request(pathname + search, init)
      return new Response(JSON.stringify(body), { status, headers })
    },
  })
  const signer = {
    address: alice.address,
    async sign(text: string) {
      texts.push(text)
      return alice.sign(text)
    },
  }
  return { client, signer, texts }
}

test('actions are signed for the host of the url', async () => {
  const { client, signer, texts } = await clientAt('https://proofs.example')
  await client.list(own, { signer })
  await client.erase(signer)
  expect(texts).toHaveLength(2)
  for (const text of texts) expect(text).toContain('"audience":"proofs.example"')
})

test('or for the audience that is given, where the server is reached by another name', async () => {
  const { client, signer } = await clientAt('http://10.0.0.7:8787', 'proofs.example')
  expect((await client.erase(signer)).erasedCount).toBe(0)
})

test('a server does not choose the audience: the refusal names it, and nothing is signed again', async () => {
  const { client, signer, texts } = await clientAt('http://10.0.0.7:8787')
  const error = await client.erase(signer).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ProofgateError)
  expect(error).toMatchObject({ code: 'SIGNATURE_INVALID', details: { audience: 'proofs.example' } })
  expect(texts).toHaveLength(1)
})

test('the refusal names the option that sets the audience, and the audience of this client', async () => {
  const { client, signer } = await clientAt('http://10.0.0.7:8787')
  for (const act of [() => client.erase(signer), () => client.list(own, { signer })]) {
    const error = await act().catch((thrown: Error) => thrown)
    expect((error as Error).message).toEndWith(
      'This client signs for 10.0.0.7:8787: if the server is known by another name, set the option "audience" of createClient.',
    )
  }
})

test('a refusal for another reason does not speak of the option', async () => {
  const { client, signer } = await clientAt('https://proofs.example')
  const error = await client
    .erase({ ...signer, sign: () => signer.sign('another text') })
    .catch((thrown: Error) => thrown)
  expect(error).toMatchObject({ code: 'SIGNATURE_INVALID' })
  expect((error as Error).message).not.toContain('createClient')
})
