/** A real browser: the Chromium that comes as a package where it runs, else the installed one. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { unpackBrowser } from './unpack-browser.ts'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const isPackaged = process.platform === 'linux' && process.arch === 'x64'

/**
 * The packaged one is a headless shell. An installed one opens a full window for every page, and takes four times the
 * CPU.
 */
export function launchBrowser({ prefersInstalled = !isPackaged } = {}): Promise<Browser> {
  const path = installed.find((one) => existsSync(one))
  return path && prefersInstalled
    ? chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
    : chromium.launch({
        executablePath: unpackBrowser(),
        // The arguments in packaged.args are for a cloud function, and switch web security off.
        args: ['--no-sandbox', '--disable-gpu', '--no-zygote', '--headless=shell'],
      })
}

/** Its part of the browser: close() ends the browser profiles that were opened through it. */
export type SharedBrowser = Pick<Browser, 'newContext' | 'close'>

/** Started by the first file of tests that needs it. It ends with the process. */
let running: Promise<Browser> | undefined

export async function openBrowser(): Promise<SharedBrowser> {
  running ??= launchBrowser()
  let browser = await running
  if (!browser.isConnected()) {
    running = launchBrowser()
    browser = await running
  }
  const contexts: BrowserContext[] = []
  return {
    async newContext(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      return context
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}
