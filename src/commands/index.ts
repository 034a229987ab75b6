/** The commands of the executable, in the order of --help. */
import { backup } from './backup.ts'
import { bundle } from './bundle.ts'
import { checkConfigCommand } from './check-config.ts'
import { clients } from './clients.ts'
import type { Command } from './command.ts'
import { compactCommand } from './compact.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { drill } from './drill.ts'
import { exportCommand } from './export.ts'
import { gates } from './gates.ts'
import { guide } from './guide.ts'
import { healthcheck } from './healthcheck.ts'
import { importCommand } from './import.ts'
import { keys } from './keys.ts'
import { moveDomain } from './move-domain.ts'
import { operator } from './operator.ts'
import { restore } from './restore.ts'
import { selfUpdate } from './self-update.ts'
import { serve } from './serve.ts'
import { sign } from './sign.ts'
import { sweep } from './sweep.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'
import { versionCommand } from './version.ts'

export const commands: readonly Command[] = [
  serve,
  demo,
  guide,
  verify,
  checkConfigCommand,
  doctor,
  bundle,
  compactCommand,
  backup,
  restore,
  drill,
  sweep,
  exportCommand,
  importCommand,
  moveDomain,
  gates,
  keys,
  clients,
  operator,
  sign,
  healthcheck,
  versionCommand,
  selfUpdate,
  upgrade,
]
