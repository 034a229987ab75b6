/**
 * Measures the dashboard's view of proofs, for a person with a hundred thousand, in a real browser. It times navigation
 * to the first rows, and each interaction to the rows that it asks for. Ratios would say nothing here, so these are
 * times of this machine.
 */
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { loadConfig } from '../../src/config/load.ts'
import { openParts } from '../../src/start.ts'
import { launchBrowser } from '../pages/chromium.ts'
import { manyQHash, oldestTitle, writeManyProofs } from '../pages/many-proofs.ts'
import { fillStore } from './fill.ts'
import { medianOf } from './median.ts'
import { emptyFolder, type Launch, launch, listening } from './server.ts'

export const paintGoalMs = 300
const firstRowsGoalMs = 150
export const interactionGoalMs = 100

const count = 100_000
/** The first rows alone are measured at this size. */
const many = 1_000_000
const key = `0x${'6'.repeat(64)}` as const

export interface DashboardLine {
  readonly what: string
  readonly goalMs: number | undefined
  readonly medianMs: number
  readonly slowestMs: number
}

export async function measureDashboard(
  ours: Launch,
  rounds: number,
  say: (line: string) => void,
): Promise<DashboardLine[]> {
  const folder = emptyFolder('dashboard')
  try {
    say(`writing ${count} proofs of one wallet`)
    await fill(folder)
    const lines = await measureVisits(ours, folder, rounds, visit)
    emptyFolder('dashboard')
    say(`filling a store with ${many} proofs of one wallet`)
    const { address } = privateKeyToAccount(key)
    await fillStore(ours, folder, many, () => address.toLowerCase())
    lines.push(...(await measureVisits(ours, folder, rounds, openFirstOfMany)))
    say('the dashboard is measured')
    return lines
  } finally {
    emptyFolder('dashboard')
  }
}

async function measureVisits(
  ours: Launch,
  folder: string,
  rounds: number,
  visitPage: (page: Page, origin: string) => Promise<[what: string, ms: number][]>,
): Promise<DashboardLine[]> {
  const server = launch(ours, folder, false)
  const browser = await launchBrowser({ prefersInstalled: true })
  try {
    await listening(server)
    const origin = `http://127.0.0.1:${server.port}`
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const [name, value] = await signIn(origin)
    await context.addCookies([{ name, value, url: origin }])
    const times = new Map<string, number[]>()
    const note = (what: string, ms: number) => times.set(what, [...(times.get(what) ?? []), ms])
    for (let round = 0; round <= rounds; round++) {
      const page = await context.newPage()
      const measured = await visitPage(page, origin)
      // The first round fills the server's caches; the browser keeps its own, as for a returning person.
      if (round > 0) for (const [what, ms] of measured) note(what, ms)
      await page.close()
    }
    return [...times].map(([what, all]) => ({
      what,
      goalMs: goals[what],
      medianMs: medianOf(all),
      slowestMs: Math.max(...all),
    }))
  } finally {
    await browser.close()
    await server.stop('SIGTERM')
  }
}

const painted = 'first contentful paint'
const shown = 'the first rows on screen'
const ofMany = 'of a million proofs: '
const wholeSearch = 'a search through all of them, to its end'
const goals: Readonly<Record<string, number | undefined>> = new Proxy(
  {
    [painted]: paintGoalMs,
    [shown]: paintGoalMs,
    [ofMany + painted]: paintGoalMs,
    [ofMany + shown]: firstRowsGoalMs,
    [wholeSearch]: undefined,
  },
  {
    get: (known: Record<string, number | undefined>, what: string) => (what in known ? known[what] : interactionGoalMs),
  },
)

async function fill(folder: string): Promise<void> {
  const opened = await openParts(await loadConfig({ env: {}, cwd: '/nonexistent' }), folder, Date.now)
  const { address } = privateKeyToAccount(key)
  await writeManyProofs(opened.parts, { wallet: address, count, newestAt: Date.now() - 60_000 })
  await opened.close()
}

async function signIn(origin: string): Promise<[name: string, value: string]> {
  const account = privateKeyToAccount(key)
  const post = (path: string, body: object) =>
    fetch(`${origin}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { data } = await (await post('nonce', { walletAddress: account.address })).json()
  const answer = await post('verify', {
    message: data.message,
    signature: await account.signMessage({ message: data.message }),
  })
  return answer.headers.get('set-cookie')!.split(';')[0]!.split('=') as [string, string]
}

/** Both times count from the navigation; the second includes the frame after the rows were inserted. */
async function openFirst(page: Page, origin: string): Promise<[what: string, ms: number][]> {
  await page.goto(origin)
  await page.locator('.proof-open').first().waitFor()
  return [
    [painted, await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)],
    [shown, await page.evaluate<number>(`performance.getEntriesByName('proofs-shown')[0].startTime`)],
  ]
}

const openFirstOfMany = async (page: Page, origin: string): Promise<[what: string, ms: number][]> =>
  (await openFirst(page, origin)).map(([what, ms]) => [ofMany + what, ms])

async function visit(page: Page, origin: string): Promise<[what: string, ms: number][]> {
  const measured = await openFirst(page, origin)
  const time = async (what: string, doing: string, done: string): Promise<void> => {
    measured.push([what, await page.evaluate<number>(untilFrame(doing, done))])
  }
  const type = (text: string) => `
    const input = document.querySelector('#vault-search')
    input.value = ${JSON.stringify(text)}
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))`
  const choose = (name: string, option: string) => `
    const select = document.querySelector('select[name=${name}]')
    select.value = ${JSON.stringify(option)}
    select.dispatchEvent(new Event('change', { bubbles: true }))`
  const firstRow = `document.querySelector('.proof-open')?.textContent`
  const standing = `document.querySelector('.vault-standing')?.textContent`

  const height = `document.querySelector('.rows').offsetHeight`
  // The second page is fetched ahead, when the first is on screen.
  await page.waitForSelector('.rows > li[aria-setsize="-1"]')
  await time('the next page, scrolled to', `window.before = ${height}; scrollTo(0, 1e7)`, `${height} > window.before`)
  await time('back to the first row', 'scrollTo(0, 0)', `document.querySelector('.rows > li[data-index="0"]')`)
  await time('a search that many fit', type('harbour'), `${firstRow}?.includes('harbour')`)
  await time('a search, to what it says first', type('no such thing'), `/None|looked back/.test(${standing})`)
  await time('all of them again', type(''), `/^85,/.test(${standing})`)
  await time(wholeSearch, type(oldestTitle), `${standing} === '1 found'`)
  await time('an id, of which the beginning is typed', type(manyQHash(5_000).slice(0, 12)), `${standing} === '1 found'`)
  await time('all of them once more', type(''), `/^85,/.test(${standing})`)
  await time('one kind', choose('verifier', 'ownership-social'), `${firstRow}?.includes('Social account')`)
  await time('one kind and a status', choose('status', 'revoked'), `${firstRow}?.includes('Revoked')`)
  await time('without the kind', choose('verifier', ''), `${firstRow} && !${firstRow}.includes('Social account')`)
  await time('one tag', choose('tag', 'choir'), `/newest|found/.test(${standing}) && ${firstRow}`)
  await time(
    'one proof, opened',
    `document.querySelector('.proof-open').click()`,
    `document.querySelector('dialog h3')`,
  )
  return measured
}

/** Milliseconds from before `doing` to the frame in which `done` holds. */
const untilFrame = (doing: string, done: string): string => `new Promise((resolve) => {
  const began = performance.now()
  const look = () => ((${done}) ? resolve(performance.now() - began) : requestAnimationFrame(look))
  ;(() => { ${doing} })()
  requestAnimationFrame(look)
})`
