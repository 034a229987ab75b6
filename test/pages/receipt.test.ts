/** The page of a receipt over HTTP: card payments, what happened afterwards, and access that ends. */
import { expect, test } from 'bun:test'
import { hour, openShop } from '../payments/card-shop.ts'
import { alice, bob, mallory, type TestWallet } from '../wallets.ts'

async function sell() {
  const shop = await openShop()
  const gateId = await shop.gate({})
  const qHash = await shop.prove()
  const sessionId = await shop.session(gateId, qHash)
  shop.stripe.pay(sessionId)
  const { receiptNumber } = (await shop.fulfill(gateId, qHash, sessionId)).body.data.rewardProof
  return {
    ...shop,
    sessionId,
    qHash,
    /** The text of the page as this wallet sees it. */
    async read(wallet: TestWallet): Promise<{ readonly status: number; readonly text: string }> {
      const { headers } = await shop.signIn(wallet)
      const { status, body } = await shop.get(`/receipts/${receiptNumber}`, { ...headers, accept: 'text/html' })
      return {
        status,
        text: String(body)
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll(/\s+/g, ' '),
      }
    },
  }
}

test('a card payment has its reference, no transaction, and no proof for the seller', async () => {
  const shop = await sell()
  const { id } = shop.stripe.payment(shop.sessionId)
  for (const wallet of [alice, mallory]) {
    const { status, text } = await shop.read(wallet)
    expect(status).toBe(200)
    expect(text).toContain('4.99 USD')
    expect(text).toContain('Paid by Card, through Stripe')
    expect(text).toContain(`Payment reference ${id}`)
    expect(text).toContain('The seller can check it')
    for (const hidden of ['Transaction', shop.qHash, 'the secret of the shop']) expect(text).not.toContain(hidden)
  }
  expect((await shop.read(bob)).status).toBe(404)
})

test.each(['x', 'A'.repeat(11)])('asks a stranger to sign in, whatever the number is: %s', async (number) => {
  const shop = await openShop()
  const { status, headers } = await shop.get(`/receipts/${number}`, { accept: 'text/html' })
  expect(status).toBe(303)
  const signIn = new URL(headers.get('location')!, 'http://localhost/receipts/')
  expect((await shop.get(`${signIn.pathname}${signIn.search}`, { accept: 'text/html' })).status).toBe(200)
})

test('says how much was refunded, and that a payment was taken back', async () => {
  const shop = await sell()
  shop.stripe.refund(shop.sessionId, 200)
  shop.wait(7 * hour)
  await shop.watch()
  expect((await shop.read(alice)).text).toContain('Refunded 2.00 USD')
  shop.stripe.refund(shop.sessionId, 299)
  shop.wait(7 * hour)
  await shop.watch()
  expect((await shop.read(mallory)).text).toContain('The payment was taken back.')
})
