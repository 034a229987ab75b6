/** A header that the server reads is described where it is read. */
import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { startApp } from '../app.ts'
import { operationsOf, published } from './published.ts'

const headersAt = async (id: string, brand = 'svc'): Promise<string[]> => {
  const document = await published(await startApp({ PROOFGATE_BRAND: brand }))
  const { operation } = operationsOf(document).find((one) => one.operation.operationId === id)!
  return operation.parameters?.filter((one) => one.in === 'header').map(({ name }) => name) ?? []
}

const owner = ['x-wallet-address', 'x-signature', 'x-signed-timestamp', 'x-chain', 'x-signature-method']

test('the headers of an app, of a view, of an owner and of a payment are described where they are read', async () => {
  expect(await headersAt('verify', 'acme')).toEqual(['x-acme-app', 'x-client-origin', 'x-sponsor-grant'])
  expect(await headersAt('getProof')).toEqual([...owner, 'x-track-view'])
  for (const id of ['listProofs', 'checkProofs', 'getGate', 'listAccess', 'listGates', 'listPayments', 'deleteGate'])
    expect(await headersAt(id)).toEqual(expect.arrayContaining(owner))
  expect(await headersAt('fulfillGate')).toContain('payment-signature')
})

/** Headers of HTTP, of browsers and of traces, and those described as credentials. */
const known =
  /^(accept|authorization|cookie|content-|host|if-|origin|prefer|referer|sec-|transfer-|upgrade|x-csrf|x-forwarded|forwarded|mcp-|user-agent|connection|expect|idempotency|trace(?:parent|state)$)/

test('no other header is read', async () => {
  const document = await published(await startApp())
  const described = new Set(
    operationsOf(document).flatMap(({ operation }) =>
      (operation.parameters ?? []).map(({ name }) => name.toLowerCase()),
    ),
  )
  const read: { file: string; name: string }[] = []
  // Code that runs in a browser or calls others reads headers of answers, not of requests.
  for (const file of new Glob('**/*.ts').scanSync('src')) {
    if (/^(outside|client|commands|doctor|pages\/browser)\//.test(file)) continue
    for (const [, name] of (await Bun.file(`src/${file}`).text()).matchAll(/headers\.(?:get|has)\('([^']+)'\)/g))
      read.push({ file, name: name!.toLowerCase() })
  }
  expect(read.length).toBeGreaterThan(20)
  expect(read.filter(({ name }) => !known.test(name) && !described.has(name))).toEqual([])
})
