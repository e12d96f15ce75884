// Builds the page into dist, anew each time: cargo compares times and would keep an old page otherwise.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const here = new URL('.', import.meta.url)
process.chdir(here.pathname)
rmSync('dist', { recursive: true, force: true })
mkdirSync('dist/assets', { recursive: true })

const entry = 'src/main.tsx'
const { metafile } = await build({
  absWorkingDir: here.pathname,
  entryPoints: [entry],
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
})
const [script, { cssBundle }] = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)
const page = readFileSync('index.html', 'utf8')
  .replace('</head>', `  <link rel="stylesheet" href="${cssBundle.slice(4)}">\n  </head>`)
  .replace('/src/main.tsx', script.slice(4))
writeFileSync('dist/index.html', page)

// What others wrote and gave away asks to be named wherever it goes.
const given = ['preact', '@preact/signals', '@preact/signals-core', 'uplot']
const notice = (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`
writeFileSync('dist/assets/licences.txt', given.map(notice).join('\n---\n\n'))
