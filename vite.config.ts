import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { workerFile } from './apps/web/offline/keep-verifier.ts'
import { offlineFiles } from './apps/web/offline/offline-files.ts'
import { wordsAreCompiled } from './apps/web/words/compile-words.ts'
import { trimMarked } from './apps/web/words/trim-marked.ts'

const out = fileURLToPath(new URL('dist/web/', import.meta.url))
const compressible = /\.(?:js|css|svg|json)$/

/** Writes `.br` and `.gz` beside each text asset once, so that the server never compresses an immutable file. */
function precompress(): Plugin {
  return {
    name: 'probant:precompress',
    apply: 'build',
    async closeBundle() {
      const names = await readdir(out, { recursive: true })
      await Promise.all(
        names
          .filter((name) => compressible.test(name))
          .map(async (name) => {
            const file = join(out, name)
            const bytes = await readFile(file)
            await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
            const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
            await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
          }),
      )
    },
  }
}

/** Tells the service worker what it keeps: a build that changes any of it is another worker. */
function listOfflineFiles(): Plugin {
  return {
    name: 'probant:offline-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const built = Object.values(bundle)
      const chunks = built.flatMap((each) =>
        each.type === 'chunk' && each.fileName !== workerFile
          ? [
              {
                fileName: each.fileName,
                source: each.facadeModuleId,
                isEntry: each.isEntry,
                imports: each.imports,
                dynamicImports: each.dynamicImports,
                css: [...(each.viteMetadata?.importedCss ?? [])],
              },
            ]
          : [],
      )
      const assets = built.flatMap((each) => (each.type === 'asset' ? [each.fileName] : []))
      const { version, files } = offlineFiles(chunks, assets)
      const worker = bundle[workerFile]
      if (worker?.type !== 'chunk' || !worker.code.includes('__OFFLINE_FILES__'))
        throw new Error(`${workerFile} has no list of files`)
      worker.code = worker.code.replace('__OFFLINE_FILES__', [version, ...files].join(','))
    },
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('apps/web/', import.meta.url)),
  // Every script and style carries the nonce that the server puts in the page (strict CSP).
  html: { cspNonce: '__CSP_NONCE__' },
  plugins: [react(), wordsAreCompiled(), trimMarked(), listOfflineFiles(), precompress()],
  worker: { format: 'es' },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2023',
    // Small files stay files: the policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    // What every page has is one file: compressed together it is smaller, and the bundler does not cut it up by who else draws on it.
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL('apps/web/index.html', import.meta.url)),
        'service-worker': fileURLToPath(new URL('apps/web/offline/service-worker.ts', import.meta.url)),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? workerFile : 'assets/[name]-[hash].js'),
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@formatjs|intl-messageformat|@tanstack\/(?:react-router|router-core|history|store|react-store)|@mantine\/core\/esm\/components\/(?:Button|Loader|UnstyledButton))\//,
            },
          ],
        },
      },
    },
  },
  server: {
    // `vite` beside a running server: pages from here, everything else from there.
    proxy: Object.fromEntries(
      [
        '/evidences',
        '/documents',
        '/deposits',
        '/shared_documents',
        '/files',
        '/_content',
        '/health',
        '/api',
        '/rest-auth',
        '/profiles',
        '/emails',
        '/sessions',
        '/second_factor',
        '/access_delegations',
        '/brands',
      ].map((path) => [path, { target: process.env['PROBANT_PUBLIC_URL'] ?? 'http://localhost:8080', changeOrigin: false }]),
    ),
  },
})
