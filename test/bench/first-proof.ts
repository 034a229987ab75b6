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

async function visit(page: Page, origin: string): Promise<[what: string, ms: number][]> {
  const measured: [string, number][] = []
  const time = async (what: string, act: () => Promise<unknown>, shown: ReturnType<Page['locator']>): Promise<void> => {
    const began = performance.now()
    await act()
    await shown.waitFor()
    measured.push([what, performance.now() - began])
  }
  const make = page.getByRole('link', { name: 'Make a proof' })
  const claim = page.getByRole('link', { name: /^Claim content/ })
  const wallet = page.locator('.choice', { hasText: 'Test Wallet' })
  const content = page.locator('[name=content]')
  await time('the start page', () => page.goto(origin), make)
  await time('the list of claims', () => make.click(), claim)
  await time('the page of one claim, with its wallets', () => claim.click(), wallet)
  await time('the form, once the wallet is connected', () => wallet.click(), content)
  await content.fill('A first text')
  const sign = page.getByRole('button', { name: 'Sign the claim' })
  await time(
    'the proof, once it is signed',
    () => sign.click(),
    page.getByRole('button', { name: 'Save the portable proof' }),
  )
  return measured
}
