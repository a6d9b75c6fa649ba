// C interface to Bullet's default broad phase; see bullet.rs.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cstdint>
#include <vector>

struct Shim {
    btDbvtBroadphase broad_phase;
    std::vector<btBroadphaseProxy*> proxies;
};

static btVector3 point(const float* p) { return btVector3(p[0], p[1], p[2]); }

// Boxes are six floats: minimum corner, then maximum corner.
extern "C" Shim* bullet_new() {
    return new Shim;
}

extern "C" void bullet_free(Shim* shim) {
    for (btBroadphaseProxy* proxy : shim->proxies)
        shim->broad_phase.destroyProxy(proxy, nullptr);
    delete shim;
}

extern "C" void bullet_insert(Shim* shim, const float* box) {
    // The user pointer holds only the index.
    void* index = reinterpret_cast<void*>(static_cast<uintptr_t>(shim->proxies.size()));
    shim->proxies.push_back(shim->broad_phase.createProxy(
        point(box), point(box + 3), 0, index, btBroadphaseProxy::DefaultFilter,
        btBroadphaseProxy::AllFilter, nullptr));
}

extern "C" void bullet_move(Shim* shim, uint32_t index, const float* box) {
    shim->broad_phase.setAabb(shim->proxies[index], point(box), point(box + 3), nullptr);
}

// Updates the pair cache; returns its number of pairs.
extern "C" uint32_t bullet_update(Shim* shim) {
    shim->broad_phase.calculateOverlappingPairs(nullptr);
    return shim->broad_phase.getOverlappingPairCache()->getNumOverlappingPairs();
}

// Writes the pairs of the cache, of the number returned by bullet_update.
extern "C" void bullet_pairs(Shim* shim, uint32_t* pairs) {
    const btBroadphasePairArray& all =
        shim->broad_phase.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < all.size(); ++i) {
        *pairs++ = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(all[i].m_pProxy0->m_clientObject));
        *pairs++ = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(all[i].m_pProxy1->m_clientObject));
    }
}
