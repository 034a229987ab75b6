/** The bill of materials, against the schema of CycloneDX 1.6 and the lock file. */
import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Ajv from 'ajv'
import { dependencies, devDependencies } from '../../package.json'
import { writeSbom } from '../../src/build/sbom.ts'

const project = join(import.meta.dir, '../..')
const text = writeSbom(project, { version: '1.2.3', seconds: 1_700_000_000 })
const bom = JSON.parse(text)
// biome-ignore lint/suspicious/noExplicitAny: the form is what is tested
const components: any[] = bom.components

const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'))
const readSchema = (name: string) => Bun.file(join(library, 'res/schema', `${name}.SNAPSHOT.schema.json`)).json()

test('is valid by the schema of CycloneDX 1.6', async () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema({ ...(await readSchema(name)), $id: `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json` })
  const validate = ajv.compile(await readSchema('bom-1.6'))
  expect(validate(bom) || validate.errors).toBe(true)
  expect(validate({ ...bom, components: [{ ...components[0], licenses: [{ license: { id: 'Nonsense' } }] }] })).toBe(
    false,
  )
})

test('names Bun and every package of the executable with version, license and hash, and no tool of the tests', () => {
  const inside = { ...dependencies, bun: devDependencies.bun }
  for (const [name, version] of Object.entries(inside)) {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const component = components.find((one) => one.purl === purl)
    expect(component, purl).toMatchObject({
      version,
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [expect.any(Object)],
    })
  }
  for (const name of ['fast-check', 'litesvm-linux-x64-gnu', 'playwright-core'])
    expect(components.some((one) => one.name === name)).toBe(false)
})

test('says what each package needs, and names everything once', () => {
  const refs = components.map((one) => one['bom-ref'])
  expect(new Set(refs).size).toBe(refs.length)
  const known = new Set([...refs, bom.metadata.component['bom-ref']])
  for (const { ref, dependsOn } of bom.dependencies)
    for (const one of [ref, ...dependsOn]) expect(known.has(one), one).toBe(true)
  const viem = bom.dependencies.find(({ ref }: { ref: string }) => ref.startsWith('pkg:npm/viem@'))
  // Its own copy, beside the one that this project names.
  expect(viem.dependsOn).toContain('pkg:npm/%40noble/curves@1.9.1')
})

test('names the libsecp256k1 that the build compiled, where it did', () => {
  const purl = 'pkg:generic/libsecp256k1@0.2.0'
  const other = JSON.parse(writeSbom(project, { version: '1.2.3', seconds: 1_700_000_000, libsecp256k1: '0.2.0' }))
  expect(other.components.at(-1)).toMatchObject({ version: '0.2.0', licenses: [{ license: { id: 'MIT' } }], purl })
  expect(other.dependencies[0].dependsOn).toContain(purl)
  expect(other.serialNumber).not.toBe(bom.serialNumber)
  expect(text).not.toContain(purl)
})

test('is the same text for the same lock file', () => {
  expect(writeSbom(project, { version: '1.2.3', seconds: 1_700_000_000 })).toBe(text)
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
