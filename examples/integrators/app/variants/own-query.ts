// Correct: The install and settings addresses have parameters of their own, which are hashed and returned like all others.
import type { ExampleNote } from '../../kit/example.ts';
import App from '../correct.ts';

export const note: ExampleNote = {
  id: 'app.variant.own-query',
  clauses: [],
  about:
    'The install and settings addresses have parameters of their own, which are hashed and returned like all others.',
};

export default class extends App {
  override manifest(): Record<string, unknown> {
    const own = 'plan=gold&for=A%26B&empty=';
    const { app_install_url: install, app_settings_url: settings, ...rest } = super.manifest();
    return { ...rest, app_install_url: `${install}?${own}`, app_settings_url: `${settings}?${own}` };
  }
}
