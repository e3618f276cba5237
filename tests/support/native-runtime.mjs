import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { useGlobals } from './native-globals.mjs';

/*
 * Jest loads each module anew, in a context of its own, for every test file; of a service this size that was two thirds
 * of the time of `npm test`. Here Node loads them: it strips the types itself, and the files that one worker runs share
 * what is loaded, as the processes of the service do. Nothing here mocks a module, so nothing is lost but the isolation
 * of globals: a test file puts back what it changes (environment, spies), as it had to do for its own tests before.
 */
const globals = new URL('./native-globals.mjs', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});

/** The `runtime` of jest's configuration. */
export default class NativeRuntime extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    useGlobals(this.requireModuleOrMock(path, '@jest/globals'));
    await import(pathToFileURL(path).href);
  }
}
