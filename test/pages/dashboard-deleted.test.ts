/** The page after deleting the profile, while its text is still on the disk. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { judged, openDashboards } from './dashboard-stage.ts'

setDefaultTimeout(60_000)

const folder = mkdtempSync(join(tmpdir(), 'proofgate-test-'))
const dashboards = await openDashboards({ PROOFGATE_DATA: folder }, folder)
// After the server, which the line above ends first.
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a profile that was deleted but stays in the log is reported as pending before the page is left', async () => {
  const { page, complaints } = await dashboards.openAs('4', '/sessions')
  const reader = new Database(locateDatabaseFile(folder), { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM proofs').get()
  await page.getByRole('button', { name: 'Delete the profile' }).click()
  await page.getByLabel('Type delete to continue').fill('delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the profile for good' }).click()

  const told = page.getByRole('dialog', { name: 'The profile is deleted' })
  await told.getByText('Erasure pending since').waitFor()
  await judged(page, 'dashboard-deleted-pending')
  const link = told.getByRole('link', { name: 'The health of this server' })
  const health = await fetch(new URL((await link.getAttribute('href'))!, page.url()))
  expect(health.status).toBe(200)
  reader.close()
  await told.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Prove it with your wallet' }).waitFor()
  expect(complaints).toEqual([])
})
