/** Each query of the dashboard is one that the API describes and accepts: in every view, and on the pages after the first. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { operatorPlaces, ownPlaces } from '../../src/pages/dashboard-places.ts'
import { randomHash } from '../parts/row-maker.ts'
import { openDashboards } from './dashboard-stage.ts'
import { eventually } from './eventually.ts'
import { addressOf } from './hosted-stage.ts'

setDefaultTimeout(90_000)

const dashboards = await openDashboards({ PROOFGATE_OPERATOR_WALLETS: addressOf('1') })
const { origin, server } = dashboards
const person = addressOf('1').toLowerCase()
const sales = 250

/** The person buys at their own gate, so that both sides of each list have rows. */
async function writeSales(gateId: string): Promise<void> {
  const { headers } = await dashboards.sessionOf('1')
  const definition = { gateId, name: 'The shop', requirements: [{ verifierId: 'ownership-basic' }] }
  const answer = await fetch(`${origin}/api/v1/profile/gates`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ definition }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
  const ids = Array.from({ length: sales }, (_, at) => at + 1)
  await server.parts.db.write(
    ids.flatMap((id) => [
      {
        sql: `INSERT INTO payments (id, identity, method, gate, q_hash, state, amount, claimed_at, updated_at)
              VALUES (?, ?, 'card', 1, zeroblob(32), 'final', '499', 0, 0)`,
        params: [id, `card:pi_${id}`],
      },
      {
        sql: `INSERT INTO fulfillments
                (gate, q_hash, wallet, version, receipt_id, payment, state, created_at, updated_at, owner, usd_micros)
              VALUES (1, ${randomHash}, ?1, 1, ?2, ?3, 'granted', ?4, ?4, ?1, 4990000)`,
        params: [person, `receipt-number-${String(id).padStart(7, '0')}`, id, Date.now() - id],
      },
      {
        sql: `INSERT INTO unmatched_payments (identity, method, gate, q_hash, wallet, owner, state, reason, created_at, updated_at)
              VALUES (?1, 'card', 1, zeroblob(32), ?2, ?2, 'refunded', 'GATE_SOLD_OUT', 0, 0)`,
        params: [`card:un_${id}`, person],
      },
    ]),
  )
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

/** The names of the query parameters that the API describes for a request; undefined for an address without one. */
async function openDescription() {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  const known = Object.entries(paths).map(
    ([path, operations]) => [new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`), operations] as const,
  )
  return (method: string, path: string): readonly string[] | undefined => {
    const [, operations] =
      known.find(([form, found]) => form.test(path) && found[method.toLowerCase()] !== undefined) ?? []
    return operations?.[method.toLowerCase()]?.parameters?.flatMap(({ name, in: place }) =>
      place === 'query' ? [name] : [],
    )
  }
}

/** Collects the requests with a query, and what is wrong with them. */
async function watchQueries(page: Page) {
  const listParameters = await openDescription()
  const asked: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    const { pathname, search, searchParams } = new URL(url)
    if (!pathname.startsWith('/api/') || search === '') return
    asked.push(`${pathname}${search}`)
    if (url.split('?').length > 2) wrong.push(`two queries: ${url}`)
    const described = listParameters(request.method(), pathname)
    // The operator's part of the API is not described to everybody.
    if (described === undefined && pathname.includes('/operator/')) return
    for (const name of searchParams.keys())
      if (!described?.includes(name)) wrong.push(`not described: ${name} of ${request.method()} ${pathname}`)
  })
  return { asked, wrong }
}

/** The list of a request, whatever its page is. */
function nameList(request: string): string {
  const { pathname, searchParams } = new URL(request, 'http://localhost')
  return `${pathname} ${searchParams.get('side') ?? ''}`
}
/** Of what was bought: the two lists of one tab. */
const isLong = (list: string): boolean => /\/(fulfillments |payments\/unmatched paid)$/.test(list)

test('every view asks with queries that the API describes and accepts', async () => {
  await writeSales('shop')
  const { page, complaints, goto } = await dashboards.openAs('1')
  const { asked, wrong } = await watchQueries(page)
  for (const place of [...ownPlaces, ...operatorPlaces]) {
    await goto(place.replace(':gateId', 'shop'))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    for (const tab of await page.getByRole('tab').all()) {
      const before = asked.length
      await tab.click()
      await page.waitForLoadState('networkidle')
      if (place !== '/payments') continue
      await eventually(page, async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
        for (const more of await page.getByRole('button', { name: 'Show more' }).all()) await more.click()
        // The second list of a tab may come after the first was read on.
        const here = asked.slice(before)
        const isReadOn = (list: string): boolean =>
          here.some((one) => one.includes('cursor=') && nameList(one) === list)
        return (
          here.some((one) => one.includes('cursor=')) &&
          here.map(nameList).every((list) => !isLong(list) || isReadOn(list))
        )
      })
      await page.waitForLoadState('networkidle')
      const save = page.getByRole('button', { name: 'Save as CSV' })
      if (await save.isVisible()) {
        const saved = page.waitForEvent('download')
        await save.click()
        const text = await Bun.file(await (await saved).path()).text()
        expect(text.trim().split('\n')).toHaveLength(sales + 1)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(complaints).toEqual([])
  for (const list of ['payments', 'payments?side=paid', 'fulfillments', 'payments/unmatched?side=paid'])
    expect(
      asked.some((one) => one.startsWith(`/api/v1/profile/${list}`) && one.includes('cursor=')),
      list,
    ).toBe(true)
})
