// Compiles sources/*.sol into compiled.json. See README.md.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { formatAbi } from 'abitype'
import solc from 'solc'

const here = new URL('./', import.meta.url)
const { resolve } = createRequire(import.meta.url)
const files = readdirSync(new URL('sources', here)).sort()
const textOf = (file) => readFileSync(new URL(`sources/${file}`, here), 'utf8')

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(files.map((file) => [file, { content: textOf(file) }])),
  settings: {
    optimizer: { enabled: true, runs: 1 },
    evmVersion: 'cancun',
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
}
const { errors = [], contracts } = JSON.parse(
  solc.compile(JSON.stringify(input), { import: (path) => ({ contents: readFileSync(resolve(path), 'utf8') }) }),
)
for (const { formattedMessage } of errors) console.error(formattedMessage)
if (errors.length > 0) process.exit(1)

const compiled = files.map((file) => {
  const name = file.replace('.sol', '')
  const { abi, evm } = contracts[file][name]
  // A test compares it with the source, so that nobody changes a contract and forgets to compile.
  const sourceSha256 = createHash('sha256').update(textOf(file)).digest('hex')
  return [name, { sourceSha256, abi: formatAbi(abi), bytecode: `0x${evm.bytecode.object}` }]
})
writeFileSync(new URL('compiled.json', here), `${JSON.stringify(Object.fromEntries(compiled), null, 2)}\n`)
