import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { gates } from '../../src/commands/gates.ts'
import { keys } from '../../src/commands/keys.ts'
import { MasterKeyError } from '../../src/db/master-key.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { makeDataFolder } from './data-folder.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(60_000)

const owner = alice.address.toLowerCase()
const secret = 'plover-xyzzy-4711'

const policy = `
owner = "${alice.address}"

[[gates]]
gate_id = "club"
name = "Club"
supply = 10

[[gates.requirements]]
verifier_id = "ownership-basic"
match = [{ path = "contentHash", op = "eq", value = "abc" }]

[[gates.rewards]]
kind = "reveal"
value_env = "WORD"

[[gates.cases]]
name = "a holder passes"
expect = "pass"
proofs = [{ verifier_id = "ownership-basic", data = { contentHash = "abc" } }]

[[gates.cases]]
name = "nobody else does"
expect = "fail"
because = "WRONG_VALUE"
proofs = [{ verifier_id = "ownership-basic", data = { contentHash = "abd" } }]
`

/** A folder to work in, with a policy file. */
function place(text = policy, name = 'policy.toml', folder: { readonly hasOwnKey?: boolean } = {}) {
  const cwd = newFolder()
  makeDataFolder(join(cwd, 'data'), folder)
  writeFileSync(join(cwd, name), text)
  const env = { PROOFGATE_DATA: join(cwd, 'data'), WORD: secret }
  return {
    cwd,
    write: (text: string) => writeFileSync(join(cwd, name), text),
    gates: (args: readonly string[], more: Record<string, string | undefined> = {}) =>
      run(gates, args, { cwd, env: { ...env, ...more } }),
  }
}

const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(UsageError)
  return (error as Error).message
}

describe('proofgate gates plan and apply', () => {
  test('a plan shows each change line by line, and makes none', async () => {
    const here = place()
    const { code, out } = await here.gates(['plan', 'policy.toml'])
    expect(code).toBe(0)
    expect(out).toBe(
      [
        `Plan for policy.toml, gates of ${owner}:`,
        '',
        '+ club  new',
        '    + status "active"',
        '    + name "Club"',
        '    + supply 10',
        '    + requirements.r1.verifierId "ownership-basic"',
        '    + requirements.r1.match[0] "contentHash eq abc"',
        '    + rewards[0].kind "reveal"',
        '    + rewards[0].value (sealed, not shown)',
        '',
        '1 gate would change.',
        '',
      ].join('\n'),
    )
    expect((await here.gates(['list'])).out).toBe('There are no gates.\n')
  })

  test('apply asks for --yes, and says that nothing was done without it', async () => {
    const here = place()
    const { code, err } = await here.gates(['apply', 'policy.toml'])
    expect(code).toBe(1)
    expect(err).toContain('nothing was changed: add --yes')
    expect((await here.gates(['list'])).out).toBe('There are no gates.\n')
  })

  test('applied again nothing changes; changed, only the change is a new version', async () => {
    const here = place()
    expect((await here.gates(['apply', 'policy.toml', '--yes'])).code).toBe(0)
    const again = await here.gates(['apply', 'policy.toml'])
    expect(again.code).toBe(0)
    expect(again.out).toContain('  club  unchanged, version 1\n\nNothing to change.')

    here.write(policy.replace('name = "Club"', 'name = "The club"').replace('supply = 10\n', ''))
    const { out } = await here.gates(['apply', 'policy.toml', '--yes'])
    expect(out).toContain('~ club  changes, version 2\n    ~ name "Club" → "The club"\n    - supply 10\n')
    const other = await here.gates(['plan', 'policy.toml'], { WORD: 'another word' })
    expect(other.out).toContain('    ~ rewards[0].value is another one (sealed, not shown)\n')
  })

  test('in JSON, for programs', async () => {
    const here = place()
    const { json } = await here.gates(['apply', 'policy.toml', '--yes', '--json'])
    expect(json).toMatchObject({
      ok: true,
      owner,
      applied: true,
      gates: [{ gateId: 'club', outcome: 'created', version: 1, status: 'active' }],
      others: [],
      findings: [],
    })
  })

  test('gates that the file does not name are left alone and named', async () => {
    const here = place()
    await here.gates(['apply', 'policy.toml', '--yes'])
    here.write(policy.replace('"club"', '"other"'))
    const { out } = await here.gates(['apply', 'policy.toml', '--yes'])
    expect(out).toContain('Not in this file, and left as they are: club.')
    expect((await here.gates(['list', '--json'])).json.gates.map(({ gateId }: { gateId: string }) => gateId)).toEqual([
      'club',
      'other',
    ])
  })

  test('all gates of a file are made, or none', async () => {
    const here = place()
    const two = `${policy}\n[[gates]]\ngate_id = "second"\nname = "Second"\nrequirements = [{ verifier_id = "ownership-basic" }]\n`
    here.write(two)
    expect(await refusal(here.gates(['apply', 'policy.toml', '--yes'], { PROOFGATE_GATES_PER_OWNER: '1' }))).toContain(
      'may own 1 gates',
    )
    expect((await here.gates(['list'])).out).toBe('There are no gates.\n')
    expect((await here.gates(['apply', 'policy.toml', '--yes'])).out).toContain('2 gates changed.')
  })

  test('the gate of another owner is not taken over', async () => {
    const here = place()
    await here.gates(['apply', 'policy.toml', '--yes'])
    here.write(policy.replace(alice.address, mallory.address))
    expect(await refusal(here.gates(['apply', 'policy.toml', '--yes']))).toContain('belongs to another owner')
  })

  test.each<[string, (text: string) => string, readonly string[], string]>([
    ['no owner', (text) => text.replace(/^owner.*$/m, ''), [], 'the owner of these gates is missing'],
    ['two owners', (text) => text, ['--owner', bob.address], '--owner is not the owner that the file names'],
    ['an owner that is none', (text) => text, ['--owner', 'a b'], 'the owner must be a wallet address'],
  ])('%s: refused', async (_, change, args, message) => {
    expect(await refusal(place(change(policy)).gates(['plan', 'policy.toml', ...args]))).toContain(message)
  })

  test('a contract wallet owns as an account of its chain', async () => {
    const here = place(policy.replace(/^owner.*$/m, ''))
    const account = `eip155:8453:${bob.address}`
    const { json } = await here.gates(['apply', 'policy.toml', '--yes', '--json', '--owner', account])
    expect(json.owner).toBe(account.toLowerCase())
  })

  test('an owner named by DID is the person who signed in with it, and else the key on the hub chain', async () => {
    const here = place(policy.replace(/^owner.*$/m, ''))
    const lower = bob.address.toLowerCase()
    const plan = ['plan', 'policy.toml', '--json', '--owner']
    expect((await here.gates([...plan, `did:pkh:eip155:84532:${bob.address}`])).json.owner).toBe(lower)
    const onBase = `did:pkh:eip155:8453:${lower}`
    expect(await refusal(here.gates([...plan, onBase]))).toContain('nobody signed in here as')
    const env = { PROOFGATE_DATA: join(here.cwd, 'data') }
    await run(keys, ['create', '--wallet', `eip155:8453:${lower}`], { cwd: here.cwd, env })
    expect((await here.gates([...plan, onBase])).json.owner).toBe(`eip155:8453:${lower}`)
  })

  test('a file in JSON has the names of the wire', async () => {
    const gate = { gateId: 'club', name: 'Club', requirements: [{ verifierId: 'ownership-basic', maxAgeMs: 5 }] }
    const here = place(JSON.stringify({ owner, gates: [gate] }), 'policy.json')
    expect((await here.gates(['apply', 'policy.json', '--yes'])).code).toBe(0)
    here.write(JSON.stringify({ owner, gates: [{ ...gate, gate_id: 'x' }] }))
    expect((await here.gates(['plan', 'policy.json'])).err).toContain(
      'policy.json: gates[0].gate_id does not exist; did you mean "gateId"?',
    )
  })
})

describe('a file that is wrong', () => {
  test('is reported line by line, with a suggestion, and no gate is changed', async () => {
    const here = place(
      policy
        .replace('gate_id', 'gateId')
        .replace('"ownership-basic"\nmatch', '"ownership-basik"\nmatch')
        .replace('supply = 10', 'supply = 0'),
    )
    const { code, out, err } = await here.gates(['apply', 'policy.toml', '--yes'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('policy.toml:5: gates[0].gateId does not exist; did you mean "gate_id"?\n')
    expect(err).toContain('gates[0].gate_id is missing\n')
    expect(err).toContain('policy.toml:7: gates[0].supply must be a whole number from 1 to 1000000000\n')
    here.write(policy.replace('"ownership-basic"\nmatch', '"ownership-basik"\nmatch'))
    const { json } = await here.gates(['plan', 'policy.toml', '--json'])
    expect(json).toMatchObject({
      ok: false,
      findings: [{ path: 'gates[0].requirements[0].verifier_id', line: 10, level: 'error' }],
    })
    expect(json.findings[0].message).toEndWith('did you mean "ownership-basic"?')
  })

  test.each<[string, string, string, string]>([
    ['that is not there', 'gone.toml', '', 'gone.toml: there is no such file'],
    [
      'with a text that cannot be signed',
      'policy.toml',
      `[[gates]]\ngate_id = "g"\nname = "e${'\\u0315'.repeat(31)}"`,
      'policy.toml:3: gates[0].name has more than 30 combining marks in a row',
    ],
    ['that is no TOML', 'policy.toml', 'name = Club', 'policy.toml:1: this is not TOML: a text without quotes'],
    ['that is no JSON', 'policy.json', '{"gates": [', 'policy.json: this is not JSON'],
    ['with one name twice', 'policy.json', '{"gates": [], "gates": []}', 'the member "gates" is there twice'],
    ['that is nested too deeply', 'policy.json', '['.repeat(200) + ']'.repeat(200), 'nested deeper than 100 levels'],
    ['that is too large', 'policy.toml', `#${'x'.repeat(4_194_304)}`, 'this file is larger than 4194304 bytes'],
  ])('%s is refused in a sentence', async (_, name, text, message) => {
    const here = place(text, name === 'gone.toml' ? 'other.toml' : name)
    expect(await refusal(here.gates(['plan', name]))).toContain(message)
  })

  test('is read at a megabyte, and its overlong member is named', async () => {
    const here = place(policy.replace('name = "Club"', `name = "Club"\ndescription = "${'x'.repeat(1_048_576)}"`))
    const { code, err } = await here.gates(['plan', 'policy.toml'])
    expect(code).toBe(2)
    expect(err).toBe('policy.toml:7: gates[0].description is longer than 2000 characters\nNothing was changed.\n')
  })

  test('is applied at a megabyte when it is valid', async () => {
    const reward = (at: number) => `[[gates.rewards]]\nkind = "reveal"\nvalue = "${String(at).padEnd(16_000, 'x')}"\n`
    const gate = (at: number) =>
      `[[gates]]\ngate_id = "gate_${at}"\nname = "מועדון ${at} 🗝️"\nrequirements = [{ verifier_id = "ownership-basic" }]\n${Array.from({ length: 16 }, (_, each) => reward(each)).join('')}`
    const here = place(`owner = "${owner}"\n${[1, 2, 3, 4].map(gate).join('')}`)
    expect((await here.gates(['apply', 'policy.toml', '--yes'])).out).toContain('4 gates changed.')
    expect((await here.gates(['show', 'gate_4'])).out).toContain('name "מועדון 4 🗝')
  })

  test('names the variable of a missing secret', async () => {
    const { code, err } = await place().gates(['plan', 'policy.toml'], { WORD: undefined })
    expect(code).toBe(2)
    expect(err).toContain('policy.toml:15: gates[0].rewards[0].value_env names a variable that is not set: WORD\n')
  })

  test('takes a value from a file beside it, without the line feed at its end', async () => {
    const here = place(policy.replace('value_env = "WORD"', 'value_file = "secrets/word.txt"'))
    expect((await here.gates(['plan', 'policy.toml'])).err).toContain('value_file names a file that is not there')
    mkdirSync(join(here.cwd, 'secrets'))
    writeFileSync(join(here.cwd, 'secrets/word.txt'), `${secret}\n`)
    await here.gates(['apply', 'policy.toml', '--yes'])
    here.write(policy)
    expect((await here.gates(['plan', 'policy.toml'])).out).toContain('Nothing to change.')
  })
})

describe('proofgate gates test', () => {
  test('decides the cases without a data folder and without secrets', async () => {
    const here = place()
    rmSync(join(here.cwd, 'data'), { recursive: true })
    const { code, out } = await here.gates(['test', 'policy.toml'], { WORD: undefined })
    expect(code).toBe(0)
    expect(out).toContain(
      '  ok     a holder passes\n  ok     nobody else does\n         r1: WRONG_VALUE: contentHash must be abc; in the nearest proof it is abd\n',
    )
    expect(out).toEndWith('2 cases are decided as expected.\n')
    expect(readdirSync(here.cwd)).toEqual(['policy.toml'])
  })

  test('a case with another result gives an exit code of 1', async () => {
    const here = place(policy.replace('expect = "fail"\nbecause = "WRONG_VALUE"', 'expect = "pass"'))
    const { code, out } = await here.gates(['test', 'policy.toml'])
    expect(code).toBe(1)
    expect(out).toContain('  WRONG  nobody else does\n         expected pass, found fail\n')
    const { json } = await here.gates(['test', 'policy.toml', '--json'])
    expect(json).toMatchObject({
      ok: false,
      gates: [{ gateId: 'club', cases: [{ isRight: true }, { isRight: false, expected: 'pass', found: 'fail' }] }],
    })
  })

  test('ways to pay that are configured elsewhere only are accepted here', async () => {
    const here = place(policy.replace('supply = 10', 'supply = 10\nprice = { amount_usd = "5", methods = ["card"] }'))
    const { code, out } = await here.gates(['test', 'policy.toml'])
    expect(code).toBe(0)
    expect(out).toContain('Note: policy.toml:8: gates[0].price.methods[0] "stripe" cannot be used')
    expect((await here.gates(['plan', 'policy.toml'])).code).toBe(2)
  })
})

describe('proofgate gates guests', () => {
  const listed = policy
    .replace('verifier_id = "ownership-basic"\nmatch', 'verifier_id = "guest-list"\n#')
    .replace(/\[\[gates\.cases[\s\S]*/, '')

  test('sets the list of a gate from a file after --yes, and tells its size', async () => {
    const here = place(listed)
    await here.gates(['apply', 'policy.toml', '--yes'])
    expect((await here.gates(['guests', 'club'])).out).toBe('club has 0 wallets on its guest list.\n')
    writeFileSync(join(here.cwd, 'guests.csv'), `name,wallet\nBob,${bob.address}\nAgain,${bob.address}\n`)
    const asked = await here.gates(['guests', 'club', 'guests.csv'])
    expect(asked).toMatchObject({ code: 1, out: expect.stringContaining('would have 1 wallet') })
    expect(asked.err).toContain('add --yes')
    expect((await here.gates(['guests', 'club', '--json'])).json).toEqual({ gateId: 'club', totalCount: 0 })
    const { json } = await here.gates(['guests', 'club', 'guests.csv', '--yes', '--json'])
    expect(json).toEqual({ gateId: 'club', added: 1, removed: 0, duplicates: 1, totalCount: 1, applied: true })
    writeFileSync(join(here.cwd, 'guests.csv'), `${alice.address}\n${mallory.address}\n`)
    const { out } = await here.gates(['guests', 'club', 'guests.csv', '--yes'])
    expect(out).toBe('club has 2 wallets on its guest list: 2 added, 1 removed.\n')
  })

  test('names each faulty line, and changes nothing then', async () => {
    const here = place(listed)
    await here.gates(['apply', 'policy.toml', '--yes'])
    writeFileSync(join(here.cwd, 'guests.txt'), `${bob.address}\nhello world\n`)
    const words = await refusal(here.gates(['guests', 'club', 'guests.txt', '--yes']))
    expect(words).toContain('guests.txt:2: this line is not a wallet address')
    expect(words).toContain('Nothing was changed')
    expect((await here.gates(['guests', 'club'])).out).toContain('0 wallets')
    expect(await refusal(here.gates(['guests', 'nowhere']))).toContain('does not exist')
  })

  test('a gate that asks for proofs only gets a list with a note', async () => {
    const here = place()
    await here.gates(['apply', 'policy.toml', '--yes'])
    expect((await here.gates(['guests', 'club'])).out).toContain('does not ask for its guest list yet')
  })
})

describe('proofgate gates list, show, rollback and remove', () => {
  async function twoVersions() {
    const here = place()
    await here.gates(['apply', 'policy.toml', '--yes'])
    here.write(policy.replace('name = "Club"', 'name = "The club"'))
    await here.gates(['apply', 'policy.toml', '--yes'])
    return here
  }

  test('show prints the current version and the list of versions, without the reward', async () => {
    const here = await twoVersions()
    const { out } = await here.gates(['show', 'club'])
    expect(out).toStartWith(`club  active, version 2, owner ${owner}\n`)
    expect(out).toContain('  name "The club"\n')
    expect(out).toMatch(/Versions:\n {2}2 {2}2\d{3}-.*by operator\n {2}1 {2}2\d{3}-.*by operator\n/)
    expect((await here.gates(['show', 'club', '--version', '1'])).out).toContain('  name "Club"\n')
    const { json, out: text } = await here.gates(['show', 'club', '--json'])
    expect(json).toMatchObject({
      gateId: 'club',
      version: 2,
      definition: { rewards: [{ kind: 'reveal' }] },
      versions: [{ version: 2 }, { version: 1 }],
    })
    expect(text).not.toContain(secret)
  })

  test('rollback makes an old version apply again, reward and all', async () => {
    const here = await twoVersions()
    const { out } = await here.gates(['rollback', 'club', '1'])
    expect(out).toBe('club is as in version 1 again: this is version 3.\n    ~ name "The club" → "Club"\n')
    here.write(policy)
    expect((await here.gates(['plan', 'policy.toml'])).out).toContain('unchanged, version 3')
    expect((await here.gates(['rollback', 'club', '1'])).out).toContain('is as version 1 already')
    expect(await refusal(here.gates(['rollback', 'club', '9']))).toContain('has versions 1 to 3')
  })

  test('remove hides a gate, and applying its file brings it back', async () => {
    const here = await twoVersions()
    await here.gates(['remove', 'club'])
    expect((await here.gates(['list'])).out).toBe('There are no gates.\n')
    expect(await refusal(here.gates(['show', 'club']))).toContain('the gate "club" does not exist')
    expect((await here.gates(['apply', 'policy.toml', '--yes'])).out).toContain(
      '~ club  changes, version 3\n    ~ status "deleted" → "active"\n',
    )
  })

  test('list shows all gates, or those of one owner', async () => {
    const here = await twoVersions()
    expect((await here.gates(['list'])).out).toMatch(/^club {2}active {2}v2 +0 fulfilled {2}The club\n$/)
    expect((await here.gates(['list', '--owner', bob.address])).out).toBe('There are no gates.\n')
  })

  test.each<[readonly string[], string]>([
    [[], 'the step is missing: give one of plan, apply, test'],
    [['aply'], 'there is no "gates aply"; did you mean "apply"?'],
    [['plan'], 'name the policy file'],
    [['plan', 'a', 'b'], '"b" is one argument too many'],
    [['plan', 'a', '--ownr', 'x'], 'there is no option --ownr; did you mean --owner?'],
    [['show'], 'name the gate'],
    [['rollback', 'x'], 'name the version'],
    [['rollback', 'x', 'one'], 'the version must be a whole number from 1'],
    [['constructor'], 'there is no "gates constructor"'],
  ])('%j is answered with what would make sense', async (args, message) => {
    expect(await refusal(place().gates(args))).toContain(message)
  })
})

describe('the secrets of a policy file', () => {
  test('are not readable in the data folder, whether in the database, its log or elsewhere', async () => {
    const here = place()
    await here.gates(['apply', 'policy.toml', '--yes'])
    for (const name of readdirSync(join(here.cwd, 'data')))
      expect(readFileSync(join(here.cwd, 'data', name)).includes(secret)).toBe(false)
  })

  test('another master key than that of the data folder is refused before anything is sealed with it', async () => {
    const here = place(policy, 'policy.toml', { hasOwnKey: false })
    await here.gates(['apply', 'policy.toml', '--yes'], { PROOFGATE_MASTER_KEY: 'ab'.repeat(32) })
    const missing = here.gates(['list'])
    await expect(missing).rejects.toBeInstanceOf(MasterKeyError)
    await expect(missing).rejects.toThrow(/set PROOFGATE_MASTER_KEY as for the server/)
    await expect(here.gates(['list'], { PROOFGATE_MASTER_KEY: 'cd'.repeat(32) })).rejects.toThrow(
      /the configured master key is not the key of the database in this folder/,
    )
    expect((await here.gates(['list'], { PROOFGATE_MASTER_KEY: 'ab'.repeat(32) })).code).toBe(0)
  })
})
