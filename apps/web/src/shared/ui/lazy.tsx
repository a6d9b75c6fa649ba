/** Component that is fetched when it is first shown, to keep the first load small. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** A component that renders nothing until `load` has fetched it. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => preact.JSX.Element | null {
  return (props) => {
    const fetched = useSignal<ComponentType<Props> | null>(null);
    useEffect(() => {
      void load().then((component) => (fetched.value = component));
    }, []);
    const Component = fetched.value;
    return Component === null ? null : <Component {...props} />;
  };
}
