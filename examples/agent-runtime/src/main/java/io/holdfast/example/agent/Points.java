package io.holdfast.example.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** Every point of a process's life at which it can die: before and after each call of whatever it was put around. */
final class Points {

    private final int last;
    private final Runnable death;
    private final List<String> passed = new ArrayList<>();

    private Points(int last, Runnable death) {
        this.last = last;
        this.death = death;
    }

    /** A life that ends when nothing is left to do. */
    static Points all() {
        return new Points(0, () -> {});
    }

    /**
     * A life that ends at a point.
     *
     * @param last counted from 1
     * @param death ends the process; nothing that comes after it goes through
     */
    static Points until(int last, Runnable death) {
        return new Points(last, death);
    }

    /** The points so far. */
    synchronized List<String> passed() {
        return List.copyOf(passed);
    }

    /** The same, with a point before and a point after each call. */
    <T> T around(String name, Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    at("before " + name + "." + method.getName());
                    Object answer;
                    try {
                        answer = method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    at("after " + name + "." + method.getName());
                    return answer;
                }));
    }

    private synchronized void at(String point) {
        if (last == 0 || passed.size() < last) {
            passed.add(point);
        }
        if (passed.size() == last) {
            death.run(); // again and again, should anybody try to go on
        }
    }
}
