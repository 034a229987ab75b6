/** A computer without a wallet, and a phone with one, as people connect them. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet, type EvmBehavior } from './browser-wallets.ts'
import { choose, press } from './hosted-stage.ts'
import { readQr } from './read-qr.ts'
import type { Visit, VisitOptions } from './visit.ts'

interface Opener {
  open(options?: VisitOptions): Promise<Visit>
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
export const number = (page: Page) => page.locator('.pair-number').textContent()
export const code = (page: Page) => page.getByRole('img', { name: 'QR code that connects your phone' })

/** Both pages ask every two seconds what the other one did. Here they ask sooner, so that no test waits for that. */
const askSooner = `{
  const start = setTimeout
  window.setTimeout = (work, ms, ...rest) => start(work, ms === 2000 ? 400 : ms, ...rest)
}`

/** Opens the page on a computer, and shows the code. The address that a camera reads from it. */
export async function showCodeAt(
  at: Opener,
  path: string,
  options: VisitOptions = {},
): Promise<{ visit: Visit; address: string }> {
  const visit = await at.open(options)
  await visit.context.addInitScript(askSooner)
  await visit.goto(path)
  return { visit, address: await pressForCode(visit.page) }
}

export async function pressForCode(page: Page): Promise<string> {
  await press(page, 'Use a wallet on my phone')
  return readQr(code(page))
}

export async function openPhoneAt(
  at: Opener,
  address: string,
  options: VisitOptions = {},
  behavior: Partial<EvmBehavior> = {},
) {
  const visit = await at.open({ phone: true, ...options })
  await visit.context.addInitScript(askSooner)
  const wallet = await addEvmWallet(visit.context, behavior)
  await visit.page.goto(address)
  return { visit, page: visit.page, wallet }
}

/** From the code to the wallet that the phone lends. */
export async function connectBoth(computer: Page, phone: Page, wallet?: string): Promise<void> {
  await press(phone, 'Show the number')
  await heading(computer, 'Compare the numbers')
  expect(await number(phone)).toMatch(/^\d{3} \d{3}$/)
  expect(await number(computer)).toBe(await number(phone))
  await press(phone, 'Yes, the same number')
  await phone.getByText('Now confirm the number on the computer.').waitFor()
  await press(computer, 'Yes, the same number')
  await computer.getByText('Now choose the wallet on your phone.').waitFor()
  await choose(phone, wallet)
}
