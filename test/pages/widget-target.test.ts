/** The rules for the address behind the button of <proof-gate>. */
import { describe, expect, test } from 'bun:test'
import { buildPopupAddress, Misuse, readTarget, redirectAddress } from '../../src/pages/browser/widget/target.ts'

const server = new URL('https://proofs.example.com/below/')
const none = { gateId: null, verifiers: null, preset: null }
const gate = readTarget({ ...none, gateId: 'gate_club' }, {})
const back = (returnTo: string | null, here: string) =>
  new URL(redirectAddress(server, gate, returnTo, here)).searchParams.get('returnUrl')!

describe('the address of the window', () => {
  test('keeps the path that a proxy puts before the server, and names the origin that gets the result', () => {
    expect(buildPopupAddress(server, gate, 'https://club.example')).toBe(
      'https://proofs.example.com/below/verify?gateId=gate_club&mode=popup&origin=https%3A%2F%2Fclub.example',
    )
  })

  test('includes the words of the site, whatever they contain', () => {
    const target = readTarget({ ...none, preset: 'basic' }, { message: 'Hi & bye=1', appId: null })
    const { searchParams } = new URL(buildPopupAddress(server, target, 'https://club.example'))
    expect(Object.fromEntries(searchParams)).toEqual({
      preset: 'basic',
      message: 'Hi & bye=1',
      mode: 'popup',
      origin: 'https://club.example',
    })
  })
})

describe('the address that a redirect comes back to', () => {
  test.each([
    [
      'this page, without its fragment',
      null,
      'https://club.example/a?b=1#c',
      'https://club.example/a?b=1&proofgate=gate_club',
    ],
    ['relative to this page', '../done', 'https://club.example/a/b', 'https://club.example/done?proofgate=gate_club'],
    [
      'of another site',
      'https://other.example/in',
      'https://club.example/',
      'https://other.example/in?proofgate=gate_club',
    ],
    [
      'without what an earlier journey brought',
      null,
      'https://club.example/?qHash=0x1&qHashes=0x1,0x2&proofgate=gate_old&keep=1',
      'https://club.example/?keep=1&proofgate=gate_club',
    ],
    [
      'without a query that would be too long for the server',
      null,
      `https://club.example/a?q=${'x'.repeat(2030)}`,
      'https://club.example/a?proofgate=gate_club',
    ],
  ])('is %s', (_, returnTo, here, expected) => {
    expect(back(returnTo, here)).toBe(expected)
    expect(expected.length).toBeLessThanOrEqual(2048)
  })

  test('is refused where it is malformed', () => {
    expect(() => back('https://', 'https://club.example/')).toThrow(Misuse)
  })
})

test.each([
  ['nothing', none],
  ['two things', { ...none, gateId: 'a', verifiers: 'ownership-basic' }],
  ['a gate id of 81 characters', { ...none, gateId: 'a'.repeat(81) }],
  ['a gate id with a space', { ...none, gateId: 'a b' }],
  ['verifiers with markup', { ...none, verifiers: '<b>' }],
  ['a preset with a slash', { ...none, preset: 'a/b' }],
  ['verifiers of a megabyte', { ...none, verifiers: 'a,'.repeat(500_000) }],
])('%s is no target', (_, given) => {
  expect(() => readTarget(given, {})).toThrow(Misuse)
})
