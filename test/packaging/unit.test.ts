/** The systemd unit, as systemd itself judges it. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand } from '../../src/commands/index.ts'
import { server } from '../../src/config/sections/server.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(60_000)

const unit = join(import.meta.dir, '../../src/packaging/systemd/proofgate.service')
const text = readFileSync(unit, 'utf8')
const folder = temporaryFolder()

const readSetting = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
const readSeconds = (name: string): number => Number(readSetting(name))

function analyze(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['systemd-analyze', '--no-pager', ...args])
  return { exitCode, output: `${stdout}${stderr}` }
}

describe.skipIf(isMissing(Bun.which('systemd-analyze'), 'systemd-analyze: apt-get install systemd'))('systemd', () => {
  test('rates the exposure of the unit below 2.0', () => {
    const { output } = analyze('security', '--offline=true', unit)
    expect(Number(/Overall exposure level for proofgate\.service: ([\d.]+)/.exec(output)?.[1])).toBeLessThan(2)
  })

  test('finds nothing wrong in the unit for each port', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'proofgate@.service'), text.replace('/usr/bin/proofgate', program[0]!))
    const dropIn = join(folder, 'proofgate@.service.d')
    mkdirSync(dropIn)
    copyFileSync(join(unit, '../../several/port.conf'), join(dropIn, 'port.conf'))
    const units = ['8787', '8789'].map((port) => {
      const instance = join(folder, `proofgate@${port}.service`)
      symlinkSync('proofgate@.service', instance)
      return instance
    })
    expect(analyze('verify', '--man=no', ...units)).toEqual({ exitCode: 0, output: '' })
  })

  test('finds nothing wrong in the unit', () => {
    // The program lies elsewhere on this machine.
    const copy = join(folder, 'proofgate.service')
    writeFileSync(copy, text.replace('/usr/bin/proofgate', program[0]!))
    expect(analyze('verify', '--man=no', copy)).toEqual({ exitCode: 0, output: '' })
  })
})

describe('the unit', () => {
  test('starts the server again after the exit codes for which its help says so', () => {
    const said = /supervisor start it again, but not after (.*)\./.exec(findCommand('serve')!.help.join('\n'))?.[1]
    expect(readSetting('RestartPreventExitStatus').split(' ')).toEqual(said!.split(/, | and /))
    expect(readSetting('Restart')).toBe('on-failure')
  })

  test('lets open requests finish at a stop', () => {
    expect(readSeconds('TimeoutStopSec')).toBeGreaterThan(server.properties.shutdown_seconds.default + 10)
  })

  test('keeps the environment from running other code in the runtime', () => {
    expect(readSetting('UnsetEnvironment').split(' ').sort()).toEqual(['BUN_BE_BUN', 'BUN_OPTIONS'])
  })
})
