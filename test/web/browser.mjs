// Which browser there is, and how it is started.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const HOW = `no browser to look with. Install one (apt-get install chromium), name one with CHROMIUM=<program>, or let npm
fetch one for Linux on x86-64: npm ci --include=optional in test/web`

/**
 * What the browser from npm asks for that a person's browser has not: one process for everything (it ends with its first closed
 * window), and pages that may read what is not theirs.
 */
const FOREIGN = ['--single-process', '--no-zygote', '--in-process-gpu', '--disable-web-security', '--allow-running-insecure-content', '--disable-site-isolation-trials']

/** The program and what it wants in its environment; nothing where there is none. */
async function find() {
  if (process.env.CHROMIUM) return { program: process.env.CHROMIUM, args: [] }
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    const program = await packed.executablePath()
    return existsSync(program) ? { program, args: packed.args.filter((one) => !FOREIGN.includes(one)) } : null
  } catch {
    return null
  }
}

/** Opens it, or says plainly that there is none and ends: as a success, unless one is required. */
export async function open() {
  const found = await find()
  if (found === null) {
    console.log(`SKIPPED: ${HOW}`)
    process.exit(process.env.BARDO_BROWSER === 'required' ? 1 : 0)
  }
  // As root the sandbox refuses to start.
  const args = [...found.args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return chromium.launch({ executablePath: found.program, args })
}
