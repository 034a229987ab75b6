/** A library that is loaded into the server: it throws, rejects, exits or prints when a file so named appears. */
import { existsSync, rmSync } from 'node:fs'

const misbehaviours: Readonly<Record<string, () => void>> = {
  throw: () => {
    throw new TypeError('the library fell over')
  },
  reject: () => void Promise.reject(new Error('the library gave up')),
  exit: () => process.exit(3),
  print: () => {
    console.log('printed first\nforged second line')
    console.warn({ some: 'object' })
    console.error(new Error('printed with a stack'))
    console.trace('where')
    process.emitWarning('a deprecated thing')
  },
}

const looking = setInterval(() => {
  for (const [name, misbehave] of Object.entries(misbehaviours)) {
    if (!existsSync(name)) continue
    rmSync(name)
    misbehave()
  }
}, 20)
looking.unref()
