import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Called at each sight, with a name, the part of the page that shows it, and the part of its height to keep. */
export type Look = (name: string, part: Locator, height?: number) => Promise<void>;

/** Takes a picture of each sight: of that part alone, without n8n's overlays. */
export function takePictures(page: Page, folder: string): Look {
  return async (name, part, height = Infinity) => {
    await page.mouse.move(2, 2);
    await settled(page);
    const box = (await part.boundingBox())!; // the part of the page exists
    const clip = { ...box, height: Math.min(box.height, height) };
    await page.screenshot({ path: join(folder, `${name}.png`), clip, style: withoutNotices + withoutControls });
  };
}

/** Makes one picture of several, one below the other, each with a line that describes it. */
export async function stack(page: Page, folder: string, target: string, parts: Record<string, string>): Promise<void> {
  const sheet = await page.context().newPage();
  const figures = await Promise.all(
    Object.entries(parts).map(async ([name, caption]) => {
      const image = (await readFile(join(folder, `${name}.png`))).toString('base64');
      return `<p>${caption}</p><img src="data:image/png;base64,${image}">`;
    }),
  );
  const style =
    'main{display:flow-root;width:838px;font:600 16px sans-serif}p{margin:12px 8px 6px}img{width:838px;display:block}';
  await sheet.setContent(`<style>${style}</style><main>${figures.join('')}</main>`);
  await sheet.locator('main').screenshot({ path: join(folder, `${target}.png`) });
  await sheet.close();
}

/**
 * Notices disappear by themselves; until then they cover the picture. Code editors leave an empty frame in the corner.
 */
const withoutNotices = ".el-notification, [class^='ͼ']:empty { visibility: hidden }";

const withoutControls =
  "[data-test-id='execute-workflow-button'], [data-test-id='stop-execution-button'], [data-test-id='canvas-controls'], .vue-flow__panel, div:has(> [role='radiogroup']), [class*='nodeButtons'] { visibility: hidden }";

/** Waits until no request is pending and animations have ended. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(700);
}
