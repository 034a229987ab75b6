import { expect, test } from 'bun:test'
import { writeCsv } from '../../src/pages/browser/dashboard/payments/csv.ts'
import type { Sale } from '../../src/pages/browser/dashboard/payments/sale.ts'

const sale: Sale = {
  gateId: 'g',
  gateName: 'A "good", one',
  version: 2,
  walletAddress: '0xb',
  state: 'granted',
  fulfilledAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
  receiptNumber: 'AAAAAAAAAAA',
  payment: {
    method: 'stripe',
    reference: 'card:pi_1',
    amount: '499',
    amountUsd: '4.99',
    state: 'final',
    refundedAmount: '200',
    disputed: false,
    payer: null,
    paidAt: 1_767_225_600_000,
  },
}

test('sales are rows, with text cells for a spreadsheet', () => {
  const free = { ...sale, gateName: '=HYPERLINK("https://evil.example")', payment: null, receiptId: 'r' }
  expect(writeCsv([sale, free]).split('\r\n')).toEqual([
    'time,gateId,gateName,version,wallet,state,amountUsd,method,reference,payer,paidAt,receiptId,refundedUsd',
    '2026-01-01T00:00:00.000Z,g,"A ""good"", one",2,0xb,refunded in part,4.99,stripe,card:pi_1,,2026-01-01T00:00:00.000Z,,2.00',
    `2026-01-01T00:00:00.000Z,g,"'=HYPERLINK(""https://evil.example"")",2,0xb,let in,,,,,,r,`,
    '',
  ])
})

const nameCell = (gateName: string): string =>
  writeCsv([{ ...sale, gateName }])
    .split('.000Z,g,')[1]!
    .split(',2,0xb,')[0]!

test.each([
  ["x;=cmd|' /C calc'!A0;y", `"x;'=cmd|' /C calc'!A0;y"`],
  ['x;+1;-1;@a', `"x;'+1;'-1;'@a"`],
  ['x\t=1', `"x\t'=1"`],
  ['x\n=1', `"x\n'=1"`],
  ['x; =1', `"x; '=1"`],
  ['x;"=1"', `"x;""'=1"""`],
  ['=1;=2', `"'=1;'=2"`],
])('no cell begins like a formula where a semicolon or a tab divides cells: %j', (name, cell) => {
  expect(nameCell(name)).toBe(cell)
})

test('a cell that such spreadsheets would divide is quoted, and left as it is where nothing in it would run', () => {
  expect(nameCell('a;b')).toBe('"a;b"')
  expect(nameCell('a\tb')).toBe('"a\tb"')
  expect(nameCell('1-2=3+4@5')).toBe('1-2=3+4@5')
})
