// Takes EAS out of its unpacked package into eas.json: `node take-eas.js <folder>`. See README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatAbi } from 'abitype'

const [, , folder] = process.argv
/** Functions and events that the project calls or the tests read. */
const used =
  /^(constructor|event|error (Already|InvalidSchema|NotFound|Irrevocable)|function (attest|getAttestation|getSchemaRegistry|version|(multiT|t)imestamp|(multiR|r)evokeOffchain|getTimestamp|getRevokeOffchain|register|getSchema)\()/

const contracts = ['EAS', 'SchemaRegistry'].map((name) => {
  const artifact = join(folder, 'artifacts', 'contracts', `${name}.sol`, `${name}.json`)
  const { abi, bytecode } = JSON.parse(readFileSync(artifact, 'utf8'))
  return [name, { abi: formatAbi(abi).filter((entry) => used.test(entry)), bytecode }]
})
writeFileSync(new URL('eas.json', import.meta.url), `${JSON.stringify(Object.fromEntries(contracts), null, 2)}\n`)
