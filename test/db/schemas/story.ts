/** What a server of today stores of a short story. A later server has to read these rows, with this key. */
import type { SQLQueryBindings } from 'bun:sqlite'
import { startApp } from '../../app.ts'
import { apply, definitionOf } from '../../gates/gate.ts'
import { alice, bob } from '../../wallets.ts'
import { inspect } from '../store.ts'

export type Row = Readonly<Record<string, SQLQueryBindings>>

/** Of the databases below this folder, and of nothing else. */
export const masterKey = '7'.repeat(64)

/** The words of the public proof and the secret of the gate, for tests that read them again. */
export const essay = 'An essay for everybody'
export const reward = 'the word is xyzzy'

/** The rows of each table. */
export async function tellStory(folder: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const app = await startApp({ PROOFGATE_MASTER_KEY: masterKey }, folder)
  const stored = { storeOriginalContent: true }
  await app.prove(alice, { ...stored, privacyLevel: 'public', publicDisplay: true }, { content: essay })
  const diary = await app.prove(alice, { ...stored, meta: { title: 'Diary', tags: ['private'] } })
  await app.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
  const terms = { qHash: diary, viewerWallet: bob.address }
  const { walletAddress, ...signed } = await app.ownerBody(alice, { action: 'grant_proof_access', ...terms })
  await app.post('/api/v1/verification/access/grant', { ...terms, ownerWallet: walletAddress, ...signed })
  await apply(app, definitionOf({ rewards: [{ kind: 'reveal', value: reward, label: 'The word' }] }))
  await app.signIn(alice)
  await app.get('/.well-known/jwks.json')
  await app.close()
  return inspect(folder, (db) => {
    const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return new Map(tables.map(({ name }) => [name, db.query<Row, []>(`SELECT * FROM "${name}"`).all()]))
  })
}
