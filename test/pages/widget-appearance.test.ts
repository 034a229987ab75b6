/** The look of the elements on a page of another site: judged by axe, and kept as pictures. */
import { setDefaultTimeout, test } from 'bun:test'
import { evmWallet } from '../wallets.ts'
import { addGate } from './gates-here.ts'
import { keyOf, openHosted, press } from './hosted-stage.ts'
import { judged } from './looks.ts'
import { proveAt, revokeAt } from './proofs-here.ts'
import { hear, listen, openedBy, startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const { origin } = hosted
const site = startSite(origin)
await addGate(origin, {
  gateId: 'gate_club',
  name: 'The evening club',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'reveal', value: 'xyzzy', label: 'The word' }],
})
const owner = evmWallet(keyOf('7'))
const prove = (content: string, privacyLevel: string) =>
  proveAt(origin, owner, {
    verifierIds: ['ownership-basic'],
    data: { owner: owner.address, content },
    options: { privacyLevel, publicDisplay: false },
  })
const holds = await prove('A table for twelve', 'public')
const hidden = await prove('A secret table', 'private')
const revoked = await prove('A table that was given up', 'public')
await revokeAt(origin, owner, revoked)

site.serve(
  '/site.css',
  () =>
    new Response(
      `:root { color-scheme: light dark; font: 17px/1.6 Georgia, serif; --card: light-dark(#fff, #241f1b) }
body { margin: 0; background: light-dark(#f6f1e7, #171310); color: light-dark(#2a211b, #efe6da) }
main { max-width: 38rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .5rem }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid light-dark(#e1d6c3, #3a312a) }
li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; padding: .75rem 0; border-bottom: 1px solid light-dark(#e1d6c3, #3a312a) }
.plum { --proofgate-accent: light-dark(#6a2148, #eeb0cf); --proofgate-on-accent: light-dark(#fff, #3a0f26); --proofgate-radius: 999px }`,
      { headers: { 'content-type': 'text/css' } },
    ),
)
const page = (gates: string, dir = 'ltr') =>
  site.page(
    `<main>
<h1>The evening club</h1>
<p>A table for twelve, every first Thursday. Show that you hold a name here, and the door opens.</p>
${gates}
<h2>What we say of ourselves</h2>
<ul>
<li><span>The kitchen was inspected in May</span> <proof-badge q-hash="${holds}"></proof-badge></li>
<li><span>The host holds the lease</span> <proof-badge q-hash="${hidden}"></proof-badge></li>
<li><span>License of the bar, the year before</span> <proof-badge q-hash="${revoked}"></proof-badge></li>
<li><span>A review that nobody can find</span> <proof-badge q-hash="0x${'ab'.repeat(32)}"></proof-badge></li>
<li><span>Reviews elsewhere</span> <proof-badge q-hash="${holds}" server="http://127.0.0.1:9"></proof-badge></li>
</ul>
</main>`,
    {
      policy: strictPolicy(origin)
        .replace("style-src 'none'", "style-src 'self'")
        .replace('connect-src', 'connect-src http://127.0.0.1:9'),
      head: '<link rel="stylesheet" href="/site.css">',
      attributes: `dir="${dir}"`,
    },
  )

async function visitAt(address: string) {
  const visit = await hosted.open({ alsoAt: [site.origin] })
  await listen(visit.context)
  await visit.page.goto(address)
  await hear(visit.page, 'proofgate-state', 5)
  return visit
}

test('a page with a gate and badges in every state', async () => {
  const visit = await visitAt(page('<proof-gate gate-id="gate_club" label="Open the door"></proof-gate>'))
  await judged(visit.page, 'widget')
})

test('while the window is open, in the colors of the page', async () => {
  const visit = await visitAt(page('<proof-gate class="plum" gate-id="gate_club"></proof-gate>'))
  await openedBy(visit.page, /Verify/)
  await visit.page.bringToFront()
  await judged(visit.page, 'widget-open')
})

test('where the window was blocked, with words of the site', async () => {
  const visit = await visitAt(
    page('<proof-gate gate-id="gate_club">Open the door <small>to members</small></proof-gate>'),
  )
  await visit.page.evaluate('window.open = () => null')
  await press(visit.page, /Open the door/)
  await hear(visit.page, 'proofgate-error')
  await judged(visit.page, 'widget-blocked')
})

test('on a page from right to left, disabled', async () => {
  const visit = await visitAt(page('<proof-gate gate-id="gate_club" disabled></proof-gate>', 'rtl'))
  await judged(visit.page, 'widget-rtl')
})
