/** A real browser: the installed Chromium when there is one, else the one that comes as a package. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { unpackBrowser } from './unpack-browser.ts'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function openBrowser(): Promise<Browser> {
  const path = installed.find((one) => existsSync(one))
  return path
    ? chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
    : chromium.launch({
        executablePath: unpackBrowser(),
        // Not packaged.args: those are for a cloud function, with the security of the web switched off.
        args: ['--no-sandbox', '--disable-gpu', '--no-zygote', '--headless=shell'],
      })
}
