/**
 * Measures how long a newcomer waits on the way from the start page to a first portable proof, in a real browser: from
 * each click to the control of the next step. Typing and reading are not counted. Ratios would say nothing here, so these
 * are times of this machine. The same clicks through empty pages tell how much of it the browser itself takes.
 */
import type { Page } from 'playwright-core'
import { addEvmWallet } from '../pages/browser-wallets.ts'
import { launchBrowser } from '../pages/chromium.ts'
import type { DashboardLine } from './dashboard.ts'
import { medianOf } from './median.ts'
import { emptyFolder, type Launch, launch, listening } from './server.ts'

const whole = 'all of them'
const empty = 'the same clicks through empty pages, for comparison'
const goalMs = 1000

export async function measureFirstProof(
  ours: Launch,
  rounds: number,
  say: (line: string) => void,
): Promise<DashboardLine[]> {
  const server = launch(ours, emptyFolder('first-proof'), false)
  const browser = await launchBrowser({ prefersInstalled: true })
  const emptyServer = serveEmptyPages()
  try {
    await listening(server)
    const times = new Map<string, number[]>()
    for (let round = 0; round <= rounds; round++) {
      // Nothing is in its cache: a newcomer was never here.
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await addEvmWallet(context, { key: `0x${(round + 1).toString(16).padStart(64, '0')}` })
      const page = await context.newPage()
      const measured = await visit(page, `http://127.0.0.1:${server.port}`)
      measured.push([whole, sumTimes(measured)])
      measured.push([empty, sumTimes(await visit(await context.newPage(), emptyServer.url.origin))])
      // The first round fills the server's caches.
      if (round > 0) for (const [what, ms] of measured) times.set(what, [...(times.get(what) ?? []), ms])
      await context.close()
    }
    say('the way to a first proof is measured')
    return [...times].map(([what, all]) => ({
      what,
      goalMs: what === whole ? goalMs : undefined,
      medianMs: medianOf(all),
      slowestMs: Math.max(...all),
    }))
  } finally {
    await browser.close()
    await emptyServer.stop(true)
    await server.stop('SIGTERM')
    emptyFolder('first-proof')
  }
}

const sumTimes = (times: readonly (readonly [string, number])[]): number => times.reduce((sum, [, ms]) => sum + ms, 0)

/** Three pages with the controls of the way, and nothing else. */
function serveEmptyPages(): Bun.Server<undefined> {
  const show = (id: string) => `onclick="document.getElementById('${id}').hidden = false"`
  const pages: Readonly<Record<string, string>> = {
    '/': '<a href="/claims">Make a proof</a>',
    '/claims': '<a href="/claim">Claim content</a>',
    '/claim': `<button class="choice" ${show('form')}>Test Wallet</button>
<div id="form" hidden><textarea name="content"></textarea><button ${show('end')}>Sign the claim</button></div>
<div id="end" hidden><button>Save the portable proof</button></div>`,
  }
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) =>
      new Response(
        `<!doctype html><html lang="en"><title>Empty</title><link rel="icon" href="data:,">${pages[new URL(request.url).pathname] ?? ''}`,
        { headers: { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' } },
      ),
  })
}

/** The control that each step waits for, by its selector and the beginning of its text. */
const controls = {
  make: ['a', 'Make a proof'],
  claim: ['a', 'Claim content'],
  wallet: ['.choice', 'Test Wallet'],
  content: ['[name=content]', ''],
  save: ['button', 'Save the portable proof'],
} as const

type Control = keyof typeof controls

/**
 * Runs in each page. Notes the moments in Unix milliseconds: of the last click, and of the frame after the one that
 * shows a control for the first time.
 */
function noteMoments(looked: typeof controls): void {
  const note = (what: string, at: number): void => sessionStorage.setItem(what, String(performance.timeOrigin + at))
  addEventListener('click', ({ timeStamp }) => note('click', timeStamp), true)
  const missing = new Set(Object.keys(looked) as Control[])
  const look = (): void => {
    for (const name of missing) {
      const [selector, text] = looked[name]
      const isShown = [...document.querySelectorAll<HTMLElement>(selector)].some(
        (one) => one.textContent.trim().startsWith(text) && one.checkVisibility(),
      )
      if (!isShown) continue
      missing.delete(name)
      requestAnimationFrame(() => note(name, performance.now()))
    }
    if (missing.size > 0) requestAnimationFrame(look)
  }
  note('began', 0)
  look()
}

/** The times are the browser's own: those of the program that clicks are not among them. */
async function visit(page: Page, origin: string): Promise<[what: string, ms: number][]> {
  await page.addInitScript(noteMoments, controls)
  const measured: [string, number][] = []
  const read = async (what: string): Promise<number> =>
    Number(await page.evaluate((name) => sessionStorage.getItem(name), what))
  const time = async (what: string, act: () => Promise<unknown>, shown: Control): Promise<void> => {
    const from = page.url().startsWith(origin) ? 'click' : 'began'
    await act()
    const [selector, text] = controls[shown]
    await page
      .locator(selector, text === '' ? {} : { hasText: text })
      .first()
      .waitFor()
    await page.waitForFunction((name) => sessionStorage.getItem(name) !== null, shown)
    measured.push([what, (await read(shown)) - (await read(from))])
  }
  const press = ([selector, text]: readonly [string, string]) =>
    page.locator(selector, { hasText: text }).first().click()
  await time('the start page', () => page.goto(origin), 'make')
  await time('the list of claims', () => press(controls.make), 'claim')
  await time('the page of one claim, with its wallets', () => press(controls.claim), 'wallet')
  await time('the form, once the wallet is connected', () => press(controls.wallet), 'content')
  await page.locator('[name=content]').fill('A first text')
  await time('the proof, once it is signed', () => press(['button', 'Sign the claim']), 'save')
  return measured
}
