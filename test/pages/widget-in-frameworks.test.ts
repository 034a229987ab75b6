/** The elements in an application of a framework: attributes, properties and events, whichever script comes first. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { addEvmWallet } from './browser-wallets.ts'
import { addGate } from './gates-here.ts'
import { addressOf, keyOf, openHosted, press } from './hosted-stage.ts'
import { closeWindow, listen, openedBy, passGate, startSite, strictPolicy } from './widget-stage.ts'

setDefaultTimeout(60_000)

const hosted = await openHosted()
const site = startSite(hosted.origin)
await addGate(hosted.origin, {
  gateId: 'gate_members',
  name: 'The club',
  requirements: [{ verifierId: 'ownership-pseudonym' }],
  rewards: [{ kind: 'reveal', value: 'xyzzy', label: 'The word' }],
})
const policy = strictPolicy(hosted.origin).replace('script-src', "script-src 'self'")
const place = '<div id="app"></div>'
/** The element that loads the application, built as its authors would. */
async function applicationIn(framework: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, `widget-in-${framework}.tsx`)],
    target: 'browser',
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = await outputs[0]!.text()
  const path = `/${framework}.js`
  site.serve(path, () => new Response(script, { headers: { 'content-type': 'text/javascript;charset=utf-8' } }))
  return `<script type="module" src="${path}"></script>`
}
const inPreact = await applicationIn('preact')
const inReact = await applicationIn('react')

test.each([
  ['Preact', 'before', site.page(place, { policy, head: inPreact }), '5'],
  ['Preact', 'after', site.page(place + inPreact, { policy }), '6'],
  ['React', 'before', site.page(place, { policy, head: inReact }), '7'],
  ['React', 'after', site.page(place + inReact, { policy }), '8'],
])('an application in %s that starts %s the elements are there', async (_, _when, address, digit) => {
  const visit = await hosted.open({ alsoAt: [site.origin] })
  const { page } = visit
  await listen(visit.context)
  await addEvmWallet(visit.context, { key: keyOf(digit) })
  await page.goto(address)

  const locked = page.getByRole('button', { name: 'Locked' })
  await locked.waitFor()
  expect(await locked.isDisabled()).toBe(true)
  await press(page, 'Unlock')
  const join = page.getByRole('button', { name: 'Join the club' })
  await join.waitFor()
  expect(await join.isEnabled()).toBe(true)

  await closeWindow(await openedBy(page, 'Join the club'))
  await page.locator('#closed').getByText('1').waitFor()

  await passGate(await openedBy(page, 'Join the club'), `member.${digit}`)
  await page.locator('#proved').getByText(addressOf(digit)).waitFor()
  await page.getByRole('link', { name: 'Verified proof' }).waitFor()

  // Properties say the same as attributes, and a wrong one is told to the application.
  const gate = page.locator('proof-gate')
  expect(await gate.evaluate((one: HTMLElement & { gateId: unknown }) => one.gateId)).toBe('gate_members')
  await gate.evaluate((one: HTMLElement & { gateId: unknown }) => {
    one.gateId = 'no gate'
  })
  expect(await gate.getAttribute('gate-id')).toBe('no gate')
  await press(page, 'Join the club')
  await page.locator('#problem').getByText('MISUSED').waitFor()
  await gate.evaluate((one: HTMLElement & { gateId: unknown }) => {
    one.gateId = undefined
  })
  expect(await gate.getAttribute('gate-id')).toBeNull()
  expect(visit.complaints).toEqual([])
})

test('a property that was set before the script came is taken over', async () => {
  const visit = await hosted.open({ alsoAt: [site.origin] })
  site.serve(
    '/early.js',
    () =>
      new Response(
        `const gate = document.createElement('proof-gate'); gate.label = 'Early'; gate.disabled = true; document.body.append(gate)`,
        { headers: { 'content-type': 'text/javascript;charset=utf-8' } },
      ),
  )
  await visit.page.goto(site.page('', { policy, head: '<script type="module" src="/early.js"></script>' }))
  const button = visit.page.getByRole('button', { name: 'Early' })
  expect(await button.isDisabled()).toBe(true)
  expect(await visit.page.locator('proof-gate').getAttribute('label')).toBe('Early')
  expect(visit.complaints).toEqual([])
})
