import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { dependencies } from '../../package.json'
import { writeNotices } from '../../src/build/notices.ts'

const root = join(import.meta.dir, '../..')

test('every package of the executable is named with its license, and none of the tests', () => {
  const sections = writeNotices(root).split(`\n\n${'-'.repeat(80)}\n\n`)
  for (const [name, version] of Object.entries(dependencies)) {
    const section = sections.find((one) => one.startsWith(`${name} ${version} (`))
    expect(section ?? `${name} is missing`).toMatch(
      /^\S+ \S+ \((MIT|Apache-2\.0|ISC|BSD-3-Clause|MPL-2\.0|OFL-1\.1|Apache-2\.0 OR MIT)\)/,
    )
  }
  expect(sections.filter((one) => /permission|license/i.test(one)).length).toBeGreaterThan(30)
  expect(sections.some((one) => one.startsWith('fast-check '))).toBe(false)
})

test('packages under the Mozilla Public License are named with the place of their source', () => {
  const sections = writeNotices(root).split(`\n\n${'-'.repeat(80)}\n\n`)
  const under = sections.filter((one) => /^\S+ \S+ \(MPL-2\.0\)/.test(one))
  expect(under.map((one) => one.split(' ')[0])).toContain('@ethereumjs/mpt')
  expect(under.map((one) => one.split(' ')[0])).toContain('@resvg/resvg-wasm')
  for (const section of under) expect(section).toMatch(/^Its source code: https:\/\/\S+$/m)
  expect(under.some((one) => one.includes('Mozilla Public License Version 2.0'))).toBe(true)
})

test('libsecp256k1, of which all code for recovery is made, is named with its license', () => {
  const section = writeNotices(root)
    .split(`\n\n${'-'.repeat(80)}\n\n`)
    .find((one) => one.startsWith('libsecp256k1 (MIT)'))
  expect(section).toContain('Copyright (c) 2013 Pieter Wuille')
  expect(section).toContain('Permission is hereby granted')
})
